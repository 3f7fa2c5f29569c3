/** Who looks at approvals, and at what waits for people. */
import type { UserId } from '../ids.ts'
import type { Role } from '../permissions.ts'

/** The caller, and with `ownOnly` nothing but what the caller asked for or reviews. */
export type Viewer = { readonly userId: UserId; readonly role: Role; readonly ownOnly: boolean }
