/** `npm run corpus:bills [folder]`: writes the project's bills, each with its truth, in two halves. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hostileFiles } from '../../dev/sample-bills/hostile.ts'
import {
  LANGUAGES,
  type BillModel,
  type Language,
  type PayeeAccount,
  type Truth,
} from '../../dev/sample-bills/model.ts'
import { LAYOUTS, layoutBy } from '../../dev/sample-bills/layouts.ts'
import { printBill, truthOnPaper } from '../../dev/sample-bills/printed.ts'
import { billOf, ibanOf, randomBy } from '../../dev/sample-bills/random.ts'
import { pdfOf, scanPage, worn } from '../../dev/sample-bills/scans.ts'
import { xmlFiles } from '../../dev/sample-bills/xml-files.ts'

const folder = process.argv[2] ?? 'node_modules/.cache/bills'

async function put(half: string, name: string, bytes: Buffer, truth: Truth): Promise<void> {
  await mkdir(join(folder, half), { recursive: true })
  await writeFile(join(folder, half, name), bytes)
  await writeFile(join(folder, half, `${name}.json`), `${JSON.stringify(truth, null, 2)}\n`)
}

/** Varies bills: credit notes, debits, card payments, and the payer's account on the page. */
function variant(index: number, language: Language): Partial<BillModel> {
  const country = { de: 'DE', en: 'GB', fr: 'FR', es: 'ES', nl: 'NL', it: 'IT' }[language]
  const payerIban = ibanOf(randomBy(index), country)
  switch (index % 8) {
    case 2:
      return { typeCode: '381', prepaid: 0n, rounding: 0n }
    case 4:
      return { meansCode: '59', payerIban }
    case 5:
      return { payerIban }
    case 7:
      return { meansCode: '48' }
    default:
      return {}
  }
}

/** Replaces a British account by Vocalink's example, as random ones fail the modulus check. */
const withCheckedNumber = (account: PayeeAccount): PayeeAccount =>
  account.branch === null ? account : { ...account, branch: '089999', number: '66374958' }

for (const [at, layout] of LAYOUTS.entries()) {
  const half = at < LAYOUTS.length / 2 ? 'made' : 'held-out'
  for (const [number, language] of LANGUAGES.entries()) {
    const index = at * LANGUAGES.length + number
    const random = billOf(4000 + index, language, variant(index, language))
    const bill = { ...random, accounts: random.accounts.map(withCheckedNumber) }
    const pdf = await printBill(bill, layout)
    const truth = truthOnPaper(bill)
    await put(half, `text-${layout.name}-${language}.pdf`, pdf, truth)
    if ((at + number) % 3 !== 0) continue
    const isPng = number % 3 === 1
    const picture = await scanPage(pdf, 500 + index, isPng)
    const name = `scan-${layout.name}-${language}`
    const scan = { ...truth, kind: 'scan' }
    if (number % 3 === 2) await put(half, `${name}.pdf`, await pdfOf(picture), scan)
    else await put(half, `${name}.${isPng ? 'png' : 'jpg'}`, picture, scan)
  }
}
/** Halves by seed, as text and worn. The second half is unseen while rules are written. */
for (const { half, seed, count } of [
  { half: 'made', seed: 6000, count: 42 },
  { half: 'held-out', seed: 8000, count: 42 },
]) {
  for (let index = 0; index < count; index += 1) {
    // a cast: an index of the list
    const language = LANGUAGES[index % LANGUAGES.length] as Language
    const random = billOf(seed + index, language, variant(index, language))
    const bill = { ...random, accounts: random.accounts.map(withCheckedNumber) }
    const pdf = await printBill(bill, layoutBy(seed + index))
    const truth = truthOnPaper(bill)
    await put(half, `text-${seed + index}-${language}.pdf`, pdf, truth)
    const isPng = index % 7 === 3
    const picture = await worn(pdf, seed + index, isPng)
    const scan = { ...truth, kind: 'worn' }
    const name = `worn-${seed + index}-${language}`
    if (index % 3 === 0) await put(half, `${name}.pdf`, await pdfOf(picture), scan)
    else await put(half, `${name}.${isPng ? 'png' : 'jpg'}`, picture, scan)
  }
}
for (const { name, bytes, refused } of await hostileFiles()) {
  const fields = refused === null ? truthOnPaper(billOf(1, 'en')).fields : null
  const empty = fields && Object.fromEntries(Object.keys(fields).map((field) => [field, null]))
  await put('made', `hostile-${name}`, bytes, {
    fields: empty as Truth['fields'],
    not_payable: null,
    refused,
    kind: 'hostile',
    language: 'en',
  })
}
for (const { half, name, bytes, truth } of xmlFiles()) await put(half, name, bytes, truth)
