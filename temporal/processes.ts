/** The registry of processes: what each workflow is called, and how its run is started and told to look. */
import { type Workflow, defineSearchAttributeKey } from '@temporalio/common'
import { contactFlow } from '../db/model/flows/contact.ts'
import { depositFlow } from '../db/model/flows/deposit.ts'
import { type Flow, driven } from '../db/model/flow.ts'
import { invitationFlow } from '../db/model/flows/invitation.ts'
import { messageFlow } from '../db/model/flows/message.ts'
import { paymentFlow } from '../db/model/flows/payment.ts'
import { PARTNER_CALLED, type ProcessRef } from '../db/model/process.ts'
import { receivingAccountFlow } from '../db/model/flows/receiving-account.ts'
import { swapFlow } from '../db/model/flows/swap.ts'
import type { Process } from '../db/wakes.ts'
import type * as workflows from '../workflows/index.ts'
import { client, grpcError, mainQueue } from './client.ts'

const WORKFLOW_TASK_TIMEOUT_MS = 5000

type Kind = {
  readonly machine: Flow
  /** Name of the workflow's function. */
  readonly type: keyof typeof workflows
  /** What an operator reads in the list of runs. */
  readonly summary: (process: Pick<Process, 'rail' | 'ref'>) => string
}

const RAILS: Readonly<Record<string, string>> = { svc_id: 'service ID', fiat: 'bank', crypto: 'blockchain' }
const railOf = (rail: string | null): string => RAILS[rail ?? ''] ?? 'partner'

/** Everything that a workflow drives. */
export const KINDS: readonly Kind[] = [
  { machine: paymentFlow, type: 'payment', summary: ({ rail }) => `Payment by ${railOf(rail)}` },
  { machine: contactFlow, type: 'paymentContact', summary: () => 'Payment contact that waits for approval' },
  { machine: invitationFlow, type: 'invitation', summary: () => 'Invitation into an organization' },
  { machine: swapFlow, type: 'swap', summary: () => 'Cover of a swap at the rates desk' },
  {
    machine: depositFlow,
    type: 'deposit',
    summary: ({ rail, ref }) => (ref ? `Money that came by ${railOf(rail)}` : 'Deposit whose sender is to be named'),
  },
  { machine: receivingAccountFlow, type: 'receivingAccount', summary: () => 'Account that a partner opens' },
  { machine: messageFlow, type: 'delivery', summary: () => 'Delivery of a mail' },
]

const kindOf = (workflow: string): Kind => {
  const kind = KINDS.find(({ machine }) => machine.workflow === workflow)
  if (!kind) throw new Error(`there is no process ${workflow}`)
  return kind
}

/** The workflow id of a process. */
export const runId = ({ workflow, id }: Pick<Process, 'workflow' | 'id'>): string => `${workflow}-${id}`

/** Whether the run of a process has nothing to do until people have answered. */
export const waitsForPeople = ({ workflow, status }: Process): boolean =>
  status !== null && kindOf(workflow).machine.asksPeople.includes(status)

/** Whether its run has only to end. What a partner has called about may be at rest, and is asked about all the same. */
export const isAtRest = ({ workflow, status, why }: Process): boolean =>
  status !== null && why !== PARTNER_CALLED && !driven(kindOf(workflow).machine, status)

const OrganizationKey = defineSearchAttributeKey('OrganizationId', 'KEYWORD')
const StatusKey = defineSearchAttributeKey('BusinessStatus', 'KEYWORD')
const RailKey = defineSearchAttributeKey('Rail', 'KEYWORD')

/**
 * Has the run of a process look at its row, and starts one where none runs. `replace` ends the one that runs before: it is
 * safe in every state, because a run knows nothing that its row does not say. One that takes no signal any more, because it
 * had too many, is replaced. Fails where Temporal is away or too slow.
 */
export async function tell(process: Process, { replace = false } = {}): Promise<void> {
  try {
    await signalOrStart(process, replace)
  } catch (error) {
    if (replace || !isFull(error)) throw error
    await signalOrStart(process, true)
  }
}

/** The server takes 10,000 signals for a run. */
const isFull = (error: unknown): boolean => String(grpcError(error).message).includes('limit for signal')

async function signalOrStart(process: Process, replace: boolean): Promise<void> {
  const { type, summary } = kindOf(process.workflow)
  const { id, organization_id: organizationId, ref, rail, status, why } = process
  const args: [ProcessRef] = [{ organizationId, id, ...ref }]
  await client.workflow.signalWithStart<Workflow>(type, {
    workflowId: runId(process),
    taskQueue: mainQueue,
    args,
    signal: why,
    signalArgs: [],
    workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT_MS,
    staticSummary: summary(process),
    typedSearchAttributes: [
      ...(organizationId ? [{ key: OrganizationKey, value: organizationId }] : []),
      ...(status ? [{ key: StatusKey, value: status }] : []),
      ...(rail ? [{ key: RailKey, value: rail }] : []),
    ],
    workflowIdConflictPolicy: replace ? 'TERMINATE_EXISTING' : 'USE_EXISTING',
    workflowIdReusePolicy: 'ALLOW_DUPLICATE',
  })
}
