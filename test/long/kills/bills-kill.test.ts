/** SIGKILL to the worker while it reads a bill: its findings are lost, and another one finds them once. */
import { beforeAll, expect, test } from 'vitest'
import { organization, person } from '../../support/api.ts'
import { electronic, electronicTruth } from '../../support/bills/electronic.ts'
import { billOf } from '../../support/bills/random.ts'
import { create, detail, sentFile } from '../../support/bills/bills.ts'
import { owner } from '../../support/database.ts'
import { closeGate, installGates } from '../../support/faults/gates.ts'
import { type Child, startWorker } from '../../support/processes.ts'
import { until } from '../../support/until.ts'

/** Moments of death: with the finding of a reader written, or the whole bill, and nothing committed. */
const MOMENTS = ['look', 'settle'] as const
const PATIENCE_MS = 60_000
let worker: Child

beforeAll(async () => {
  await installGates({
    look: { on: 'insert on bill_readings' },
    settle: { on: 'update on bills', when: `old.status = 'extracting' and new.status = 'extracted'` },
  })
  worker = await startWorker()
})

test(
  'a worker that is killed with what it read in its hands leaves nothing of it; another one takes it over once',
  async () => {
    const boss = await person()
    const { id } = await organization(boss, 'Payer')
    const bill = billOf(12, 'de')
    const fileId = await sentFile(boss, id, Buffer.from(electronic(bill, 'ubl-peppol')), 'application/xml')
    const [first, ...later] = MOMENTS
    let gate = await closeGate(first ?? 'look', id)
    const { body: made } = await create(boss, id, { file_id: fileId })
    const billId: string = made.id
    const findings = () => owner`select type from events where subject_id = ${billId} and type <> 'bill.created'`
    for (const next of [...later, null]) {
      await gate.waiting()
      await worker.kill()
      expect((await detail(boss, billId)).bill).toMatchObject({ status: 'extracting', bill_number: null, iban: null })
      expect(await findings()).toEqual([])
      await gate.open()
      if (next) gate = await closeGate(next, id)
      worker = await startWorker()
    }
    const found = async () => {
      const now = await detail(boss, billId)
      return now.bill.status === 'extracted' && now
    }
    const read = await until('a bill that is read', found, PATIENCE_MS)
    expect(read.bill).toMatchObject({ ...electronicTruth(bill, 'ubl-peppol').fields, extraction_failed_at: null })
    const types = read.events.map(({ event_type: type }: { event_type: string }) => type)
    expect(types).toEqual(['bill.created', 'bill.read', 'bill.extracted'])
    expect(read.events[2].causation_id).toBe(read.events[1].id)
    await worker.stop()
  },
  2 * PATIENCE_MS,
)
