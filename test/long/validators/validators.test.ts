/** The official validators find nothing in what the service writes. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeTemporaryFolder } from '../../../dev/machine/temporary.ts'
import { writeAll } from './documents.ts'
import { type Kind, Validators, findObstacle } from './validators.ts'

const INVOICES = 100
const RUN_MS_MAX = 15 * 60_000
/** A minute to fetch them, and more to start. */
const START_MS_MAX = 5 * 60_000

const seed = Number(process.env['VALIDATOR_SEED'] ?? 42)
const obstacle = findObstacle()
if (obstacle) console.warn(`official validators are skipped: ${obstacle}`)
else console.info(`official validators: ${INVOICES} invoices of the seed ${seed} (VALIDATOR_SEED)`)

/** Findings that are no faults. */
const ACCEPTED: readonly RegExp[] = [
  // the schema of CII requires the element, also of an invoice with a period alone
  /^(?=.*warning)(?=.*PEPPOL-EN16931-R008)(?=.*ApplicableHeaderTradeDelivery)/,
  // the mandate of France between French companies: a profile of its own, which an invoice does not claim
  /from \/xslt\/XP_Z12_012\//,
]

describe.skipIf(obstacle !== null)(`official validators${obstacle ? ` (skipped: ${obstacle})` : ''}`, () => {
  const folder = makeTemporaryFolder()
  let validators: Validators
  beforeAll(() => {
    validators = new Validators()
  }, START_MS_MAX)
  afterAll(() => {
    validators.end()
    folder.remove()
  })

  async function faultsOf(kind: Kind, name: string, bytes: Uint8Array): Promise<string[]> {
    const file = join(folder.path, name)
    writeFileSync(file, bytes)
    const found = await validators.faultsOf(kind, file)
    return found.filter((one) => !ACCEPTED.some((known) => known.test(one)))
  }

  test(
    'veraPDF and the rules of EN 16931, XRechnung and Factur-X find no fault in any document',
    async () => {
      const faults: string[] = []
      const counts = new Map<Kind, number>()
      for await (const { name, kinds, bytes } of writeAll(INVOICES, seed)) {
        for (const kind of kinds) {
          faults.push(...(await faultsOf(kind, name, bytes)).map((one) => `${name} ${kind}: ${one}`))
          counts.set(kind, (counts.get(kind) ?? 0) + 1)
        }
      }
      console.info(`official validators: ${JSON.stringify(Object.fromEntries(counts))}`)
      expect(faults).toEqual([])
    },
    RUN_MS_MAX,
  )

  test.each<[Kind, RegExp, string | RegExp, string]>([
    ['pdf', /6\.6\.4-2/, '<pdfaid:part>3', '<pdfaid:part>2'],
    ['factur-x', /error/, '<fx:DocumentType>INVOICE', '<fx:DocumentType>INVOYCE'],
    ['cii', /BR-CO-15/, /(GrandTotalAmount>-?)/, '$19'],
    ['ubl', /BR-CO-15/, /(TaxInclusiveAmount currencyID="[A-Z]+">-?)/, '$19'],
    ['xrechnung', /BR-DE-15/, /<cbc:BuyerReference>.*?<\/cbc:BuyerReference>/s, ''],
  ])(
    'they find a fault in a broken %s',
    async (kind, fault, from, to) => {
      for await (const { name, kinds, bytes } of writeAll(INVOICES, seed)) {
        if (!kinds.includes(kind)) continue
        const text = Buffer.from(bytes).toString('latin1')
        expect(text).toMatch(from)
        const broken = Buffer.from(text.replace(from, to), 'latin1')
        expect((await faultsOf(kind, `broken-${name}`, broken)).join('\n')).toMatch(fault)
        return
      }
      expect.unreachable('there is such a document')
    },
    60_000,
  )
})
