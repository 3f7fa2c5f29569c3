/** What an operator decides about an organization, as `admin` has it decided. */
import { cancelWithTargets } from '../../../db/decisions/ends.ts'
import { type Moved, type OperatorCommand, moveOrganization as move } from '../../../db/organizations/status.ts'
import type { OrganizationId } from '../../../domain/ids.ts'

/** Moves an organization, and cancels what waits for approval in it if the command ends that. */
export const moveOrganization = (id: OrganizationId, command: OperatorCommand): Promise<Moved> =>
  move(id, command, cancelWithTargets)
