/** Every operation there is. Router, OpenAPI document and the rules tests read this list. */
import { accounts } from './accounts.ts'
import { approvals } from './approvals.ts'
import { auth } from './auth.ts'
import { me } from './me.ts'
import { meta } from './meta.ts'
import { organizations } from './organizations.ts'
import { paymentContacts } from './payment-contacts.ts'
import { payments } from './payments.ts'
import type { Route } from './route.ts'
import { sandboxClock } from './sandbox/clock.ts'
import { sandboxDeposits } from './sandbox/deposits.ts'
import { sandboxMessages } from './sandbox/messages.ts'
import { sandboxStepUp } from './sandbox/step-up.ts'
import { stepUps } from './step-up.ts'
import { transactions } from './transactions.ts'

export const routes: readonly Route[] = [
  ...auth,
  ...me,
  ...stepUps,
  ...organizations,
  ...approvals,
  ...paymentContacts,
  ...payments,
  ...accounts,
  ...transactions,
  ...meta,
  ...sandboxClock,
  ...sandboxDeposits,
  ...sandboxMessages,
  ...sandboxStepUp,
]
