/** Watch: prints what happens to one thing, from the stream of events, until it ends. */
import type { Client } from 'business-finance-client'
import type { Command } from 'commander'
import { describeEvent } from '../call.ts'
import type { Context } from '../context.ts'
import { EXIT, Failure } from '../failures.ts'
import type { Act } from '../run.ts'
import { formatValue } from '../table.ts'
import { findHead, followEvents } from './follow.ts'

type Status = { readonly status: string }
type WatchState = {
  readonly read: (client: Client, id: string, organization_id: string) => Promise<Status>
  /** Statuses in which it has ended well, and otherwise. */
  readonly done: readonly string[]
  readonly failed: readonly string[]
}

/** Things that can be watched, by their stream. */
const WATCHED: Readonly<Record<string, WatchState>> = {
  payments: {
    read: (client, id) => client.getPayment({ payment_id: id }),
    done: ['succeeded'],
    failed: ['failed', 'reversed', 'cancelled'],
  },
  payment_batches: {
    read: (client, id) => client.getPaymentBatch({ batch_id: id }),
    done: ['completed'],
    failed: ['partially_completed', 'failed', 'cancelled'],
  },
  payment_contacts: {
    read: (client, id) => client.getPaymentContact({ payment_contact_id: id }),
    done: ['active'],
    failed: ['archived'],
  },
  approvals: {
    read: (client, id, organization_id) => client.getApproval({ organization_id, approval_id: id }),
    done: ['approved'],
    failed: ['rejected', 'cancelled'],
  },
  bills: {
    read: async (client, id) => (await client.getBill({ bill_id: id })).bill,
    done: ['payment_requested'],
    failed: ['cancelled'],
  },
  exports: {
    read: (client, id) => client.getExport({ export_id: id }),
    done: ['completed'],
    failed: ['failed'],
  },
}

export function addWatch(program: Command, act: Act): void {
  program
    .command('watch')
    .description('print what happens to one thing until it ends: a payment, a batch, a bill, an approval, an export')
    .argument('<id>')
    .action(act(watch))
}

async function watch(context: Context, id: string): Promise<number> {
  const { client, output } = context
  const organization_id = context.organization()
  const { data: before } = await client.listEvents({ organization_id, subject_id: id })
  const { stream } = before[0] ?? {}
  if (!stream) throw new Failure(EXIT.refused, `Nothing has happened to ${formatValue(id)} in this organization.`)
  const watched = WATCHED[stream]
  if (!watched) throw new Failure(EXIT.usage, `Things of ${stream} do not end.`)
  const from = await findHead(context, organization_id)
  for (const event of before.toReversed())
    output.line(output.isForPeople ? describeEvent(event) : JSON.stringify(event))
  let code = await judge(context, watched, id, organization_id)
  if (code !== undefined) return code
  const filters = { organization_id, stream: stream as 'payments' } // the service names streams as it takes them
  const seen = new Set(before.map((one) => one.id))
  for await (const event of followEvents(context, filters, from)) {
    if (event.subject_id !== id || seen.has(event.id)) continue
    output.line(output.isForPeople ? describeEvent(event) : JSON.stringify(event))
    code = await judge(context, watched, id, organization_id)
    if (code !== undefined) return code
  }
  return EXIT.done
}

/** Reads how a thing is; answers the exit code if it has ended. */
async function judge({ client, output }: Context, watched: WatchState, id: string, organizationId: string) {
  const { status } = await watched.read(client, id, organizationId)
  if (watched.done.includes(status)) return EXIT.done
  if (!watched.failed.includes(status)) return undefined
  output.say(`It ended: ${formatValue(status)}`)
  return EXIT.refused
}
