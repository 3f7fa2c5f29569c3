import { beforeAll, expect, test } from 'vitest'
import sharp from 'sharp'
import { type TestPerson, api, baseUrl, organization, person } from '../../support/api.ts'
import { create, provenanceOf, readBill, sentFile, typedBill } from '../../support/bills/bills.ts'
import { electronic } from '../../../dev/sample-bills/electronic.ts'
import { hostileFiles } from '../../../dev/sample-bills/hostile.ts'
import { LAYOUTS } from '../../../dev/sample-bills/layouts.ts'
import { printBill } from '../../../dev/sample-bills/printed.ts'
import { billOf } from '../../../dev/sample-bills/random.ts'
import { refusal } from '../../support/http/refusals.ts'
import { everyNth, longTest } from '../../support/model-runs.ts'
import { usePartners } from '../../support/partners/partners.ts'
import { useWorker } from '../../support/worker.ts'

usePartners()
useWorker()

const PDF = 'application/pdf'
const boss = await person()
const { id: organizationId } = await organization(boss, 'Payer')
const [layout] = LAYOUTS
if (!layout) throw new Error('there is no layout')
const pdf = await printBill(billOf(900, 'de'), layout)
let bill: { id: string }
beforeAll(async () => {
  bill = await readBill(boss, organizationId, pdf, PDF)
})

const pagePath = (id: string, page: number | string) => `/bills/${id}/pages/${page}.png`

/** The pixels of a page, and what its answer says. */
async function see(by: TestPerson, path: string) {
  const response = await fetch(`${baseUrl}/api/v1${path}`, { headers: { authorization: `Bearer ${by.token}` } })
  const { data, info } = await sharp(await response.arrayBuffer())
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { headers: response.headers, data, width: info.width, height: info.height }
}

/** A bill with a file, returned at once: pages can be seen while the file is still read. */
async function billOfFile(bytes: Buffer, contentType: string): Promise<string> {
  const fileId = await sentFile(boss, organizationId, bytes, contentType)
  return (await create(boss, organizationId, { file_id: fileId })).body.id
}

const numberOf = async (id: string) => (await provenanceOf(boss, id)).find(({ field }) => field === 'bill_number')

test('a page is a PNG of two pixels for a point, which the caller’s own cache may keep for a minute', async () => {
  const page = await see(boss, pagePath(bill.id, 1))
  expect([page.width, page.height]).toEqual([1191, 1684])
  expect(Object.fromEntries(page.headers)).toMatchObject({
    'content-type': 'image/png',
    'cache-control': 'private, max-age=60',
    vary: 'authorization',
  })
})

test('fields are marked where the provenance says that they stand, and nowhere unless asked', async () => {
  const { box } = await numberOf(bill.id)
  const [plain, marked] = [await see(boss, pagePath(bill.id, 1)), await see(boss, `${pagePath(bill.id, 1)}?mark=true`)]
  const pixelAt = ({ data, width }: typeof plain, x: number, y: number) => {
    const at = (Math.round(y) * width + Math.round(x)) * 3
    return [...data.subarray(at, at + 3)]
  }
  const beside = [(box[0] - 1) * 2, (box[1] - 0.5) * 2] as const
  expect(pixelAt(plain, ...beside)).toEqual([255, 255, 255])
  expect(pixelAt(marked, ...beside)).toEqual([255, 236, 110])
  expect(pixelAt(marked, 4, 4)).toEqual([255, 255, 255])
})

test('what XML states is marked where the page says the same', async () => {
  const model = billOf(900, 'de')
  const both = await printBill(model, layout, electronic(model, 'cii-en16931'))
  const { id } = await readBill(boss, organizationId, both, PDF)
  const { box } = await numberOf(bill.id)
  const text = expect.stringContaining('/ID')
  expect(await numberOf(id)).toMatchObject({ method: 'factur-x', page: 1, box, text })
})

test('a picture is its only page, upright and of the size at which its boxes are counted', async () => {
  const turned = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#eee' } })
    .jpeg()
    .withMetadata({ orientation: 6 })
    .toBuffer()
  const id = await billOfFile(turned, 'image/jpeg')
  const page = await see(boss, pagePath(id, 1))
  expect([page.width, page.height]).toEqual([1123, 1684])
  expect((await api('GET', pagePath(id, 2), { token: boss.token })).status).toBe(404)
})

test('there is no page of what has none, or of another organization', async () => {
  const ofXml = await billOfFile(Buffer.from('<bill/>'), 'application/xml')
  const stranger = await person()
  const { id: elsewhere } = await organization(stranger, 'Elsewhere')
  const typed = await typedBill(stranger, elsewhere)
  for (const [by, path] of [
    [boss, pagePath(bill.id, 2)],
    [boss, pagePath(bill.id, 0)],
    [boss, pagePath(bill.id, 'first')],
    [boss, pagePath(bill.id, 99_999)],
    [boss, pagePath(ofXml, 1)],
    [stranger, pagePath(typed.id, 1)],
    [stranger, pagePath(bill.id, 1)],
  ] as const) {
    expect(refusal(await api('GET', path, { token: by.token })), path).toEqual([404, 'not_found'])
  }
})

longTest('what cannot be opened is refused with its reason, and the next page is drawn', async () => {
  const files = await hostileFiles()
  const refused = [
    ['content-bomb.pdf', 'hostile'],
    ['encrypted.pdf', 'encrypted'],
    ['huge.png', 'too_large'],
  ] as const
  for (const [name, reason] of everyNth(refused, 3)) {
    const bytes = files.find((file) => file.name === name)?.bytes ?? Buffer.alloc(0)
    const id = await billOfFile(bytes, name.endsWith('png') ? 'image/png' : PDF)
    const { status, body } = await api('GET', pagePath(id, 1), { token: boss.token })
    expect([status, body.error], name).toMatchObject([422, { type: 'invalid_file', details: { reason } }])
  }
  expect((await api('GET', pagePath(bill.id, 1), { token: boss.token })).status).toBe(200)
})
