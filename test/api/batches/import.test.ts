import { randomUUID } from 'node:crypto'
import { beforeAll, expect, test } from 'vitest'
import {
  type TestOrganization,
  type TestPerson,
  api,
  approve,
  contact,
  createPayment,
  fund,
  organization,
  person,
} from '../../support/api.ts'
import { setRules } from '../../support/approvals.ts'
import { owner } from '../../support/database.ts'
import { BANK, WALLET } from '../../support/destinations.ts'
import {
  HEADER,
  TERMS,
  atRest,
  errorsOf,
  importFile,
  imported,
  newBatch,
  readBatch,
  rowsOf,
  uploaded,
} from '../../support/imports.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

let boss: TestPerson
let payer: TestOrganization
let payee: TestOrganization

beforeAll(async () => {
  boss = await person({ authenticator: true })
  payer = await organization(boss, 'Payer')
  payee = await organization(await person(), 'Payee')
  await fund(payer.id, '100.00')
})

/** A file of these rows. */
const fileOf = (...rows: readonly string[]) => [HEADER, ...rows].join('\n')
/** A row that pays a service ID, a contact or an account. */
const toHandle = (handle: string, amount = '1.00') => `${handle},,,,${amount},USD,${TERMS}`
const toContact = (id: string, currency = 'USD') => `,${id},,,1.00,${currency},${TERMS}`
const toAccount = (iban: string, amount = '1.00') => `,,Payee,${iban},${amount},EUR,${TERMS}`

async function contactAt(destinations: readonly object[], by = boss, organizationId = payer.id): Promise<string> {
  const body = { name: 'Payee', type: 'business', destinations }
  const made = await api('POST', `/organizations/${organizationId}/payment-contacts`, { token: by.token, body })
  expect(made.status).toBe(201)
  return made.body.id as string
}

test('a file becomes rows, each with its number, line, payee, amount and cells, and the batch is a draft again', async () => {
  const batchId = await newBatch(boss, payer.id)
  const contactId = await contact(boss, payer.id, payee.svcId)
  const file = `\uFEFF${HEADER.replaceAll(',', ';')}\r\n${payee.svcId};;;;1;USD;services;"two; ""quoted"""\r\n\r\n;;"Some\nbody";DE02120300000000202051;x;EUR;services;y\r\n;${contactId};;;2.50;USD;a;b`
  const fileId = await uploaded(boss, batchId, file)
  const asked = await importFile(boss, batchId, fileId)
  expect([asked.status, asked.body.status, asked.body.file_id]).toEqual([202, 'importing', fileId])
  expect(await atRest(boss, batchId)).toMatchObject({
    status: 'draft',
    file_id: fileId,
    import_error: null,
    rows_total: 3,
    rows_valid: 2,
    rows_invalid: 1,
    rows_skipped: 0,
    totals: [{ amount: '3.50', currency: 'USD' }],
    fees: [],
  })
  const rows = await rowsOf(boss, batchId)
  expect(rows.map(({ id: _id, cells: _cells, ...row }) => row)).toEqual([
    {
      row_number: 1,
      line: 2,
      status: 'valid',
      errors: [],
      warnings: [],
      payment_id: null,
      amount: { amount: '1.00', currency: 'USD' },
      payee: 'Payee',
    },
    {
      row_number: 2,
      line: 4,
      status: 'invalid',
      errors: [
        { column: 'account_holder_name', code: 'malformed', message: expect.stringContaining('one line') },
        { column: 'amount', code: 'malformed', message: expect.stringContaining('plain decimal number') },
      ],
      warnings: [],
      payment_id: null,
      amount: null,
      payee: null,
    },
    {
      row_number: 3,
      line: 6,
      status: 'valid',
      errors: [],
      warnings: [],
      payment_id: null,
      amount: { amount: '2.50', currency: 'USD' },
      payee: 'Payee',
    },
  ])
  expect(rows[0].cells).toMatchObject({
    payee_svc_id: payee.svcId,
    amount: '1',
    statement_description: 'two; "quoted"',
  })
  expect(rows[1].cells).toMatchObject({ account_holder_name: 'Some\nbody', iban: '…2051', amount: 'x' })
  const events = await owner`select type from events where subject_id = ${batchId} order by occurred_at, id`
  expect(events.map(({ type }) => type)).toEqual([
    'payment_batch.created',
    'payment_batch.import_requested',
    'payment_batch.imported',
  ])
})

test('whom a row names decides about it: contacts, service IDs, rails and currencies', async () => {
  const other = await person()
  const strangers = await organization(other, 'Strangers')
  const foreign = await contactAt([BANK], other, strangers.id)
  const waiting = await contactAt([BANK])
  await owner`update payment_contacts set status = 'pending_approval' where id = ${waiting}`
  const gone = await contactAt([BANK])
  await api('DELETE', `/payment-contacts/${gone}`, { token: boss.token })
  const away = await organization(await person(), 'Away')
  const unpayable = await contactAt([{ type: 'svc_id', svc_id: away.svcId }])
  await owner`update organizations set status = 'banned' where id = ${away.id}`
  const file = fileOf(
    toContact(randomUUID(), 'EUR'),
    toContact(foreign, 'EUR'),
    toContact(gone, 'EUR'),
    toContact(waiting, 'EUR'),
    toContact(await contactAt([])),
    toContact(unpayable),
    toContact(await contactAt([WALLET]), 'USDC'),
    toContact(await contactAt([BANK]), 'USD'),
    toContact(await contactAt([BANK]), 'EUR'),
    toHandle('nobody-has-this'),
    toHandle(away.svcId),
    toHandle(payer.svcId),
    toHandle(payee.svcId),
    toAccount('DE02120300000000202051'),
    'a,b',
  )
  const batchId = await newBatch(boss, payer.id)
  await imported(boss, batchId, file)
  const rows = await rowsOf(boss, batchId)
  expect(errorsOf(rows)).toEqual([
    ['payment_contact_id unknown_contact'],
    ['payment_contact_id unknown_contact'],
    ['payment_contact_id unknown_contact'],
    ['payment_contact_id contact_not_approved'],
    ['payment_contact_id destination_missing'],
    ['payment_contact_id destination_missing'],
    ['payment_contact_id unsupported_rail'],
    ['currency unsupported_currency'],
    [],
    ['payee_svc_id unknown_handle'],
    ['payee_svc_id unknown_handle'],
    ['payee_svc_id same_account'],
    [],
    [],
    ['null too_few_cells'],
  ])
  // a contact of strangers is told of as one that nobody has
  expect(rows[1]).toEqual({ ...rows[0], id: rows[1].id, row_number: 2, line: 3, cells: rows[1].cells })
  const kept =
    await owner`select rail, payee_organization_id, payment_contact_id, destination_id, fingerprint is null as unbanked
    from payment_batch_rows where payment_batch_id = ${batchId} and status = 'valid' order by row_number`
  expect(kept).toEqual([
    {
      rail: 'fiat',
      payee_organization_id: null,
      payment_contact_id: expect.any(String),
      destination_id: expect.any(String),
      unbanked: true,
    },
    { rail: 'svc_id', payee_organization_id: payee.id, payment_contact_id: null, destination_id: null, unbanked: true },
    { rail: 'fiat', payee_organization_id: null, payment_contact_id: null, destination_id: null, unbanked: false },
  ])
})

test('where the policy asks for approved contacts, a row that names none has to pay what one of them is paid at', async () => {
  const [payerBoss, other] = [await person({ authenticator: true }), await organization(await person(), 'Other')]
  const { id } = await organization(payerBoss, 'Careful')
  const known = [
    await contactAt([BANK], payerBoss, id),
    await contactAt([{ type: 'svc_id', svc_id: payee.svcId }], payerBoss, id),
  ]
  await setRules(id, payerBoss, [{ action_type: 'payment_contact', steps: [{ required: 1, roles: ['owner'] }] }])
  const file = fileOf(
    toAccount('DE89370400440532013000'),
    toAccount('de02 1203 0000 0000 2020 51'),
    toHandle(other.svcId),
    toHandle(payee.svcId),
    toContact(known[1] ?? ''),
  )
  const batchId = await newBatch(payerBoss, id)
  await imported(payerBoss, batchId, file)
  expect(errorsOf(await rowsOf(payerBoss, batchId))).toEqual([
    ['account_holder_name contact_not_approved'],
    [],
    ['payee_svc_id contact_not_approved'],
    [],
    [],
  ])
  const contacts = await owner`select payment_contact_id as id from payment_batch_rows
    where payment_batch_id = ${batchId} and status = 'valid' order by row_number`
  expect(contacts.map((row) => row['id'])).toEqual([...known, known[1]])
})

test('the same payee and amount twice in a file, or paid within 30 days, is a warning, however the payee is named', async () => {
  const contactId = await contact(boss, payer.id, payee.svcId)
  await approve(boss, await createPayment(boss, contactId, '7.00'))
  const bankContact = await contactAt([{ ...BANK, iban: 'DE75512108001245126199' }])
  const batchId = await newBatch(boss, payer.id)
  await imported(
    boss,
    batchId,
    fileOf(
      toHandle(payee.svcId, '7'),
      toContact(bankContact, 'EUR'),
      toHandle(payee.svcId, '8'),
      toAccount('DE75 5121 0800 1245 1261 99', '1.0'),
      `,${contactId},,,7.00,USD,${TERMS}`,
      toAccount('DE75512108001245126199', '2.00'),
    ),
  )
  const rows = await rowsOf(boss, batchId)
  expect(rows.map(({ status }) => status)).toEqual(Array(6).fill('valid'))
  const codes = rows.map(({ warnings }) =>
    warnings.map(({ code, message }: any) => `${code} ${/\d+/.exec(message)?.[0]}`),
  )
  expect(codes).toEqual([
    ['duplicate_recent 30', 'duplicate_in_file 5'],
    ['duplicate_in_file 4'],
    [],
    ['duplicate_in_file 2'],
    ['duplicate_recent 30', 'duplicate_in_file 1'],
    [],
  ])
})

test('a file that cannot be read leaves a draft that says why, with the rows that it had', async () => {
  const batchId = await newBatch(boss, payer.id)
  const broken = await imported(boss, batchId, `${HEADER}\n"unclosed`)
  expect(broken).toMatchObject({
    status: 'draft',
    file_id: null,
    rows_total: 0,
    import_error: { line: 2, code: 'unbalanced_quotes', message: expect.any(String) },
  })
  const good = await imported(boss, batchId, fileOf(toHandle(payee.svcId), toHandle('nobody-has-this')))
  expect(good).toMatchObject({ import_error: null, rows_total: 2, rows_invalid: 1 })
  const latin = Buffer.concat([Buffer.from(`${HEADER}\n${toHandle(payee.svcId)}`), Buffer.from([0xe9])])
  expect(await imported(boss, batchId, latin)).toMatchObject({
    file_id: good.file_id,
    rows_total: 2,
    import_error: { line: 2, code: 'not_utf8' },
  })
})

test('a second import replaces all rows at once, and lets the first file be swept', async () => {
  const batchId = await newBatch(boss, payer.id)
  const first = await imported(boss, batchId, fileOf(toHandle(payee.svcId, '1'), toHandle(payee.svcId, '2')))
  const before = await rowsOf(boss, batchId)
  const second = await imported(boss, batchId, fileOf(toHandle(payee.svcId, '3')))
  const after = await rowsOf(boss, batchId)
  expect(after.map(({ amount }) => amount.amount)).toEqual(['3.00'])
  expect(before.map(({ id }) => id)).not.toContain(after[0].id)
  expect(second.totals).toEqual([{ amount: '3.00', currency: 'USD' }])
  const used =
    await owner`select id from files where id in (${first.file_id}, ${second.file_id}) and used_at is not null`
  expect(used).toEqual([{ id: second.file_id }])
})

test('an import needs a draft, a file of its own batch, and one that is there', async () => {
  const [batchId, otherId] = [await newBatch(boss, payer.id), await newBatch(boss, payer.id)]
  const theirs = await uploaded(boss, otherId, fileOf())
  const told = async (fileId: string) => {
    const { status, body } = await importFile(boss, batchId, fileId)
    return [status, body.error?.type]
  }
  expect(await told(theirs)).toEqual([404, 'not_found'])
  expect(await told(randomUUID())).toEqual([404, 'not_found'])
  const body = { byte_size: 10, content_type: 'text/csv', filename: 'pay.csv' }
  const slot = await api('POST', `/payment-batches/${batchId}/upload`, { token: boss.token, body })
  expect(await told(slot.body.id)).toEqual([409, 'file_not_uploaded'])
  const mine = await uploaded(boss, batchId, fileOf(toHandle(payee.svcId)))
  await owner`update payment_batches set status = 'awaiting_approval' where id = ${batchId}`
  expect(await told(mine)).toEqual([409, 'batch_not_draft'])
  const late = await api('POST', `/payment-batches/${batchId}/upload`, { token: boss.token, body })
  expect([late.status, late.body.error.type, late.body.error.details.current]).toEqual([
    409,
    'batch_not_draft',
    'awaiting_approval',
  ])
  await owner`update payment_batches set status = 'draft' where id = ${batchId}`
})

test('a slot takes CSV of at most 5 MB, under a name of one line, and is the same slot under the same key', async () => {
  const batchId = await newBatch(boss, payer.id)
  const ask = (body: object, key?: string) =>
    api('POST', `/payment-batches/${batchId}/upload`, { token: boss.token, body, ...(key && { key }) })
  const good = { byte_size: 5_242_880, content_type: 'application/vnd.ms-excel', filename: 'x'.repeat(255) }
  const wrong = [
    { byte_size: 0 },
    { byte_size: 5_242_881 },
    { byte_size: 1.5 },
    { content_type: 'text/html' },
    { filename: '' },
    { filename: 'a\0' },
    { filename: 'x'.repeat(256) },
  ]
  for (const one of wrong) {
    const { status, body } = await ask({ ...good, ...one })
    expect([status, body.error.details.errors[0].path]).toEqual([400, Object.keys(one)[0]])
  }
  const [first, again] = [await ask(good, 'k'), await ask(good, 'k')]
  expect([first.status, again.status, again.body]).toEqual([201, 201, first.body])
  expect(first.body).toMatchObject({
    file_name: good.filename,
    method: 'PUT',
    headers: { 'content-length': '5242880', 'content-type': good.content_type },
  })
})

test('whatever stands in cells is kept, and is paid nowhere by itself', async () => {
  const nasty = [
    '\\N',
    '\\.',
    'a\\tb',
    '\t',
    'a\u0007b',
    '\u{1F4B8}',
    'a\u202eb',
    '\uFEFF',
    "'; drop table x",
    '{}',
    '\\x00',
    '=1+1',
  ]
  const cells = (text: string) =>
    [payee.svcId, '', '', '', '1.00', 'USD', text, 'x'].map((cell) => `"${cell}"`).join(',')
  const long = 'é'.repeat(100_000)
  const batchId = await newBatch(boss, payer.id)
  await imported(boss, batchId, fileOf(...nasty.map(cells), cells(long), cells('nul\0'), `${cells('a')},"beyond"`))
  const rows = await rowsOf(boss, batchId)
  expect(rows.map((row) => row.cells.payout_reason)).toEqual([...nasty, long, 'nul\0', 'a'])
  expect(errorsOf(rows)).toEqual([
    [],
    [],
    [],
    ['payout_reason required'],
    ['payout_reason malformed'],
    [],
    ['payout_reason malformed'],
    ['payout_reason required'],
    [],
    [],
    [],
    [],
    ['payout_reason too_long'],
    ['payout_reason malformed'],
    ['null too_many_cells'],
  ])
  const texts =
    await owner`select payout_reason from payment_batch_rows where payment_batch_id = ${batchId} and status = 'valid' order by row_number`
  expect(texts.map((row) => row['payout_reason'])).toEqual(nasty.filter((_, index) => ![3, 4, 6, 7].includes(index)))
})

test('storage that is away puts the import off, and no more', async () => {
  const batchId = await newBatch(boss, payer.id)
  const fileId = await uploaded(boss, batchId, fileOf(toHandle(payee.svcId)))
  const fault = await api('POST', '/sandbox/faults', { body: { partner: 'storage', fault: 'down', times: 1 } })
  expect(fault.status).toBe(200)
  expect((await importFile(boss, batchId, fileId)).status).toBe(202)
  expect(await atRest(boss, batchId)).toMatchObject({ import_error: null, rows_valid: 1 })
  expect((await readBatch(boss, batchId)).status).toBe('draft')
})
