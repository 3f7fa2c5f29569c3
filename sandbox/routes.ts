/** Operations of the sandbox, added to those of the API in test. */
import type { Route } from '../api/http/route.ts'
import { routes } from '../api/routes.ts'
import { sandboxAccounting } from './operations/accounting.ts'
import { sandboxClock } from './operations/clock.ts'
import { sandboxDeposits, sandboxInvoices } from './operations/deposits.ts'
import { sandboxFaults, sandboxMarket } from './operations/faults.ts'
import { sandboxMessages } from './operations/messages.ts'
import { sandboxOnboarding } from './operations/onboarding.ts'
import { sandboxPayouts } from './operations/payouts.ts'
import { sandboxStepUp } from './operations/step-up.ts'

export const sandboxRoutes: readonly Route[] = [
  ...sandboxAccounting,
  ...sandboxClock,
  ...sandboxDeposits,
  ...sandboxInvoices,
  ...sandboxFaults,
  ...sandboxMarket,
  ...sandboxMessages,
  ...sandboxOnboarding,
  ...sandboxPayouts,
  ...sandboxStepUp,
]

/** Registry of the test environment's operations, for router, OpenAPI document and rules. */
export const allRoutes: readonly Route[] = [...routes, ...sandboxRoutes]
