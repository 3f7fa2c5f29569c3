/** Operations of the sandbox, which the test environment adds to those of the API. */
import type { Route } from '../api/http/route.ts'
import { routes } from '../api/routes.ts'
import { sandboxAccounting } from './operations/accounting.ts'
import { sandboxClock } from './operations/clock.ts'
import { sandboxDeposits, sandboxInvoices } from './operations/deposits.ts'
import { sandboxFaults, sandboxMarket } from './operations/faults.ts'
import { sandboxMessages } from './operations/messages.ts'
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
  ...sandboxPayouts,
  ...sandboxStepUp,
]

/** Every operation of the test environment: router, OpenAPI document and tests of rules read this list. */
export const allRoutes: readonly Route[] = [...routes, ...sandboxRoutes]
