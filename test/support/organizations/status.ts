/** Operators' commands on organizations, by the code of `admin`. */
import { cancelWithTargets } from '../../../services/decisions/ends.ts'
import {
  type StatusMove,
  type OperatorCommand,
  moveOrganization as move,
} from '../../../services/organizations/status.ts'
import type { OrganizationId } from '../../../domain/ids.ts'

/** Moves an organization, and cancels its pending approvals if the command ends them. */
export const moveOrganization = (id: OrganizationId, command: OperatorCommand): Promise<StatusMove> =>
  move(id, command, cancelWithTargets)
