/** How each process is started: its id, queue, what an operator reads of it, and what happens where it runs already. */
import {
  WithStartWorkflowOperation,
  WorkflowExecutionAlreadyStartedError,
  type WorkflowStartOptions,
} from '@temporalio/client'
import { type Workflow, defineSearchAttributeKey } from '@temporalio/common'
import type { ArrivalRef, DepositRef } from '../activities/deposits.ts'
import type { ContactRef } from '../activities/payment-contacts.ts'
import type { InvitationRef } from '../activities/invitations.ts'
import type { NewPaymentRef, PaymentRef } from '../activities/payments.ts'
import type { ReceivingAccountRef } from '../activities/receiving-accounts.ts'
import type { SwapRef } from '../activities/swaps.ts'
import { config } from '../db/config.ts'
import { log } from '../db/log.ts'
import type { Target, TargetType } from '../db/model/approval.ts'
import { contactFlow } from '../db/model/contact-flow.ts'
import { railOf } from '../db/model/deposit.ts'
import { depositFlow } from '../db/model/deposit-flow.ts'
import { depositIdOf } from '../db/deposit-arrivals.ts'
import { noteDepositCall } from '../db/deposit-bookings.ts'
import { type Flow, workflowId } from '../db/model/flow.ts'
import { invitationFlow } from '../db/model/invitation-flow.ts'
import type {
  ContactId,
  DepositId,
  InvitationId,
  MessageId,
  OrganizationId,
  PaymentId,
  ReceivingAccountId,
  SwapId,
} from '../db/model/ids.ts'
import { messageFlow } from '../db/model/message-flow.ts'
import { paymentFlow } from '../db/model/payment-flow.ts'
import { receivingAccountFlow } from '../db/model/receiving-account-flow.ts'
import { swapFlow } from '../db/model/swap-flow.ts'
import type { Rail } from '../db/model/payment.ts'
import type { delivery } from '../workflows/delivery.ts'
import { look } from '../workflows/approval.ts'
import type { deposit } from '../workflows/deposit.ts'
import { askToLook, client } from './temporal.ts'

const WORKFLOW_TASK_TIMEOUT_MS = 5000
const START_PATIENCE_MS = 2000

const OrganizationKey = defineSearchAttributeKey('OrganizationId', 'KEYWORD')
const StatusKey = defineSearchAttributeKey('BusinessStatus', 'KEYWORD')
const RailKey = defineSearchAttributeKey('Rail', 'KEYWORD')

/** A row that a workflow drives: what the reconciler reads of each, and what a start needs. */
export type DrivenRow = {
  readonly id: string
  readonly organization_id: OrganizationId
  readonly status: string
  readonly rail?: Rail | null
}

type Process = {
  readonly machine: Flow
  /** Name of the workflow's function. */
  readonly type: string
  /** Approvals of these targets are decided by it. */
  readonly targets: readonly TargetType[]
  /** Whether a row can wait again after a run that ended well. */
  readonly recurs?: true
  readonly summary: (row: DrivenRow) => string
  readonly ref: (organizationId: OrganizationId, id: string) => object
}

const RAILS = { svc_id: 'service ID', fiat: 'bank', crypto: 'blockchain' } as const

/** The processes of organizations. What each is started with is what its workflow resumes from. */
export const PROCESSES: readonly Process[] = [
  {
    machine: paymentFlow,
    type: 'payment',
    targets: ['internal_transfer', 'fiat_outgoing', 'crypto_outgoing'],
    summary: ({ rail }) => `Payment by ${RAILS[rail ?? 'svc_id']}`,
    ref: (organizationId, id) => ({ organizationId, paymentId: id as PaymentId }) satisfies PaymentRef,
  },
  {
    machine: contactFlow,
    type: 'paymentContact',
    targets: ['payment_contact'],
    recurs: true,
    summary: () => 'Payment contact that waits for approval',
    ref: (organizationId, id) => ({ organizationId, contactId: id as ContactId }) satisfies ContactRef,
  },
  {
    machine: invitationFlow,
    type: 'invitation',
    targets: ['organization_invitation'],
    summary: () => 'Invitation into an organization',
    ref: (organizationId, id) => ({ organizationId, invitationId: id as InvitationId }) satisfies InvitationRef,
  },
  {
    machine: swapFlow,
    type: 'swap',
    targets: [],
    summary: () => 'Cover of a swap at the rates desk',
    ref: (organizationId, id) => ({ organizationId, swapId: id as SwapId }) satisfies SwapRef,
  },
  {
    machine: depositFlow,
    type: 'deposit',
    targets: [],
    summary: () => 'Deposit whose sender is to be named',
    ref: (organizationId, id) => ({ organizationId, depositId: id as DepositId }) satisfies DepositRef,
  },
  {
    machine: receivingAccountFlow,
    type: 'receivingAccount',
    targets: [],
    summary: () => 'Account that a partner opens',
    ref: (organizationId, id) =>
      ({ organizationId, accountId: id as ReceivingAccountId }) satisfies ReceivingAccountRef,
  },
]

/** The process that drives the rows of a table, or decides the approvals of a target. */
const drivenBy = (machine: Flow): Process => found(PROCESSES.find((process) => process.machine === machine))
const decidedBy = (type: TargetType): Process => found(PROCESSES.find(({ targets }) => targets.includes(type)))

function found(process: Process | undefined): Process {
  if (!process) throw new Error('there is no such process')
  return process
}

type Options = WorkflowStartOptions & { workflowId: string }

/** What every start has in common, whoever starts it. */
const optionsOf = ({ machine, summary, ref }: Process, row: DrivenRow, creation?: object): Options => ({
  workflowId: workflowId(machine, row.id),
  taskQueue: `${config.taskQueuePrefix}main`,
  workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT_MS,
  staticSummary: summary(row),
  args: [ref(row.organization_id, row.id), ...(creation ? [creation] : [])],
  typedSearchAttributes: [
    { key: OrganizationKey, value: row.organization_id },
    { key: StatusKey, value: row.status },
    ...(row.rail ? [{ key: RailKey, value: row.rail }] : []),
  ],
})

/** For updates: a run that ended well is over, and one that failed or was terminated is started again. */
const HEALING = {
  workflowIdConflictPolicy: 'USE_EXISTING',
  workflowIdReusePolicy: 'ALLOW_DUPLICATE_FAILED_ONLY',
} as const
/** Whatever does not run is started: its row says that something must still happen to it. */
const RESTARTING = { workflowIdConflictPolicy: 'USE_EXISTING', workflowIdReusePolicy: 'ALLOW_DUPLICATE' } as const

/** The operation that starts a payment's workflow with what it creates, or finds it running. */
export function paymentStart(
  ref: PaymentRef,
  rail: Rail,
  creation?: NewPaymentRef,
): WithStartWorkflowOperation<Workflow> {
  const row = { id: ref.paymentId, organization_id: ref.organizationId, status: 'awaiting_approval', rail }
  return new WithStartWorkflowOperation('payment', { ...optionsOf(drivenBy(paymentFlow), row, creation), ...HEALING })
}

/** The operation that starts the workflow of what waits for an approval, or finds it running: it takes the decision. */
export function decisionStart(organizationId: OrganizationId, target: Target): WithStartWorkflowOperation<Workflow> {
  const process = decidedBy(target.type)
  const rail = RAIL_OF[target.type] ?? null
  const row = { id: target.id, organization_id: organizationId, status: process.machine.driven[0] ?? '', rail }
  const starting = process.recurs ? RESTARTING : HEALING
  return new WithStartWorkflowOperation(process.type, { ...optionsOf(process, row), ...starting })
}

const RAIL_OF: Readonly<Partial<Record<TargetType, Rail>>> = {
  internal_transfer: 'svc_id',
  fiat_outgoing: 'fiat',
  crypto_outgoing: 'crypto',
}

/** The workflow id of what waits for an approval. */
export const waitingWorkflowId = ({ type, id }: Target): string => workflowId(decidedBy(type).machine, id)

/** Starts the workflow of a row, or finds it running. */
export async function startProcess(machine: Flow, row: DrivenRow): Promise<void> {
  const process = drivenBy(machine)
  await client.workflow.start(process.type, { ...optionsOf(process, row), ...RESTARTING })
}

/**
 * The same right after the row was written, by the request that wrote it. Where Temporal is away the request is answered
 * all the same: the row is there, and the reconciler starts what is missing.
 */
export async function startWritten(machine: Flow, row: DrivenRow): Promise<void> {
  const deadline = Date.now() + START_PATIENCE_MS
  await client
    .withDeadline(deadline, () => startProcess(machine, row))
    .catch((error: unknown) => {
      log.warn({ err: error, id: row.id }, 'a process could not be started; the reconciler will')
    })
}

/** Starts the delivery of a queued mail, or finds it running. Safe to repeat: one that has ended delivers nothing again. */
export async function startDelivery(messageId: MessageId): Promise<void> {
  await client.workflow.start<typeof delivery>('delivery', {
    workflowId: workflowId(messageFlow, messageId),
    taskQueue: `${config.taskQueuePrefix}main`,
    args: [{ messageId }],
    workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT_MS,
    staticSummary: 'Delivery of a mail',
    typedSearchAttributes: [{ key: StatusKey, value: 'queued' }],
    ...RESTARTING,
  })
}

/**
 * Has a partner asked about a deposit that nobody has yet, and books it; of a held one its own run asks, because it may have
 * been sent back. Safe to repeat: a deposit is booked once, and goes back once.
 */
export async function startArrival(ref: ArrivalRef): Promise<void> {
  const known = await noteDepositCall(ref)
  if (known.kind === 'over') return
  if (known.kind === 'held') {
    const run = workflowId(depositFlow, known.id)
    return client.withDeadline(Date.now() + START_PATIENCE_MS, () => askToLook([run]))
  }
  const rail = railOf(ref.partner)
  const depositId = depositIdOf(ref.partner, ref.partnerDepositId)
  const run = workflowId(depositFlow, depositId)
  const start = () =>
    client.workflow.start<typeof deposit>('deposit', {
      workflowId: run,
      taskQueue: `${config.taskQueuePrefix}main`,
      args: [{ ...ref, depositId }],
      workflowTaskTimeout: WORKFLOW_TASK_TIMEOUT_MS,
      staticSummary: `Money that came by ${RAILS[rail]}`,
      typedSearchAttributes: [
        { key: StatusKey, value: 'announced' },
        { key: RailKey, value: rail },
      ],
      workflowIdConflictPolicy: 'FAIL',
      workflowIdReusePolicy: 'ALLOW_DUPLICATE',
    })
  await client.withDeadline(Date.now() + START_PATIENCE_MS, () => startOrSignal(start, run))
}

const STARTS_MAX = 10
const START_AGAIN_MS = 50

/** Starts a run, or makes the one that runs look; one that is just ending may be past that, and is waited for. */
async function startOrSignal(start: () => Promise<unknown>, run: string): Promise<void> {
  for (let left = STARTS_MAX; ; left -= 1) {
    try {
      await start()
      return
    } catch (error) {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error
    }
    try {
      await client.workflow.getHandle(run).signal(look)
      return
    } catch (error) {
      if (left <= 1) throw error
    }
    await new Promise((resume) => setTimeout(resume, START_AGAIN_MS))
  }
}
