/** `npm run corpus:field [folder]`: writes pages of many countries and layouts, each with its truth, in two halves. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fieldPage, fieldReceipt } from '../../dev/sample-bills/field/pages.ts'
import { withPrinter } from '../../dev/sample-bills/field/print.ts'
import { scanPage, worn } from '../../dev/sample-bills/scans.ts'
import { chromiumPath } from '../../test/support/identity/chromium.ts'

const folder = process.argv[2] ?? 'node_modules/.cache/field'
const [PAGES, RECEIPTS] = [270, 36]

async function put(path: string, bytes: Buffer, truth: object): Promise<void> {
  await writeFile(path, bytes)
  await writeFile(`${path}.json`, `${JSON.stringify(truth, null, 2)}\n`)
}

await withPrinter(chromiumPath, async (print) => {
  for (const half of ['made', 'held-out'] as const) {
    await mkdir(join(folder, half), { recursive: true })
    for (let index = 0; index < PAGES; index += 1) {
      const { name, html, size, truth } = fieldPage(half, index)
      await put(join(folder, half, `${name}.pdf`), await print(html, size), truth)
    }
    for (let index = 0; index < RECEIPTS; index += 1) {
      const { name, html, size, truth } = fieldReceipt(half, index)
      const pdf = await print(html, size)
      const path = join(folder, half, name)
      // every second one is a picture
      if (index % 2 === 0) await put(`${path}.pdf`, pdf, { ...truth, kind: 'receipt-text' })
      else if (index % 4 === 1) await put(`${path}.jpg`, await scanPage(pdf, index), { ...truth, kind: 'receipt-scan' })
      else await put(`${path}.jpg`, await worn(pdf, index), { ...truth, kind: 'receipt-worn' })
    }
  }
})
