import { randomUUID } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeXlsx } from 'hucre/xlsx'
import { expect, test } from 'vitest'
import { config } from '../../../platform/config.ts'
import { objectsOf, send } from '../../support/files/files.ts'
import { api, approve, contact, createPayment, fund, organization, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import {
  HEADER,
  TERMS,
  atRest,
  errorsOf,
  fileOf,
  importFile,
  imported,
  newBatch,
  payerAndPayee,
  rowsOf,
  toAccount,
  toContact,
  toHandle,
  uploaded,
} from '../../support/batches/imports.ts'
import { useWorker } from '../../support/worker.ts'
import { setRules } from '../../support/approvals/approvals.ts'
import { BANK, WALLET } from '../../support/contacts/destinations.ts'

useWorker()

const { boss, payer, payee } = await payerAndPayee()
await fund(payer.id, '100.00')

test('results have the separator of the import, and can be sent back as they are', async () => {
  const batchId = await newBatch(boss, payer.id)
  const file = `${HEADER.replaceAll(',', ';')}\n${payee.svcId};;;;1;USD;services;RE 1,=1+41,x\n;;;;x;USD;a;'-b`
  await imported(boss, batchId, file)
  const before = await rowsOf(boss, batchId)
  const results = await api('GET', `/payment-batches/${batchId}/results.csv`, { token: boss.token })
  const [header, first] = results.body.split('\r\n')
  expect(header).toBe(`${HEADER.replaceAll(',', ';')};status;error;payment_id;fee;settled_at;bill_id`)
  expect(first).toBe(`${payee.svcId};;;;1;USD;services;"RE 1,'=1+41,x";valid;;;;;`)
  const again = await newBatch(boss, payer.id)
  await imported(boss, again, results.body)
  const told = (rows: { id: string }[]) => rows.map(({ id: _id, ...row }) => row)
  expect(told(await rowsOf(boss, again))).toEqual(told(before))
})

test('a workbook is imported by the rules of a CSV file, and its results are CSV', async () => {
  const batchId = await newBatch(boss, payer.id)
  const columns = HEADER.split(',')
  const rows = [
    [payee.svcId, null, null, null, 1234.5, 'USD', 'services', 'RE 1'],
    [null, null, null, null, null, null, null, ' '],
    [null, null, 'Payee', 'DE02120300000000202051', '1.234,50', 'EUR', 'services', '=1+1'],
  ]
  const bytes = Buffer.from(await writeXlsx({ sheets: [{ name: 'June', rows: [[...columns, null], ...rows] }] }))
  const slot = await api('POST', `/payment-batches/${batchId}/documents/upload`, {
    token: boss.token,
    body: { format: 'xlsx', byte_size: bytes.length, filename: 'pay.xlsx' },
  })
  expect([slot.status, (await send(slot.body, bytes)).status]).toEqual([201, 200])
  await importFile(boss, batchId, slot.body.id)
  const totals = [
    { amount: '1234.50', currency: 'EUR' },
    { amount: '1234.50', currency: 'USD' },
  ]
  const counts = { rows_total: 2, rows_valid: 2, rows_empty: 1, columns_empty: 0 }
  expect(await atRest(boss, batchId)).toMatchObject({ status: 'draft', import_error: null, ...counts, totals })
  expect((await rowsOf(boss, batchId)).map(({ line }) => line)).toEqual([2, 4])
  const results = await api('GET', `/payment-batches/${batchId}/results.csv`, { token: boss.token })
  const [, , second] = results.body.split('\r\n')
  expect(second).toBe(`,,Payee,DE02120300000000202051,"1.234,50",EUR,services,'=1+1,valid,,,,,`)
  // and as CSV it is refused
  expect((await imported(boss, batchId, bytes)).import_error).toMatchObject({ line: null, code: 'not_csv' })
})

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
  const unasked = { payee_check: null, known_holder: null, bill_id: null, credits: [] }
  const valid = { status: 'valid', errors: [], warnings: [], payment_id: null, payee: 'Payee', ...unasked }
  const errors = [
    { column: 'account_holder_name', code: 'malformed', message: expect.stringContaining('one line') },
    { column: 'amount', code: 'malformed', message: expect.stringContaining('decimal number such as 1234.50') },
  ]
  expect(rows.map(({ id: _id, cells: _cells, ...row }) => row)).toEqual([
    { ...valid, row_number: 1, line: 2, amount: { amount: '1.00', currency: 'USD' } },
    { ...valid, row_number: 2, line: 4, status: 'invalid', errors, amount: null, payee: null },
    { ...valid, row_number: 3, line: 6, amount: { amount: '2.50', currency: 'USD' } },
  ])
  const cells = { payee_svc_id: payee.svcId, amount: '1', statement_description: 'two; "quoted"' }
  expect(rows[0].cells).toMatchObject(cells)
  expect(rows[1].cells).toMatchObject({ account_holder_name: 'Some\nbody', iban: '…2051', amount: 'x' })
  const events = await owner`select type from events where subject_id = ${batchId} order by occurred_at, id`
  expect(events.map(({ type }) => type)).toEqual([
    'payment_batch.created',
    'payment_batch.import_requested',
    'payment_batch.imported',
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
  const import_error = { line: 2, code: 'not_utf8' }
  expect(await imported(boss, batchId, latin)).toMatchObject({ file_id: good.file_id, rows_total: 2, import_error })
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

test('an import needs a file of its own batch, and one that is there', async () => {
  const [batchId, otherId] = [await newBatch(boss, payer.id), await newBatch(boss, payer.id)]
  const theirs = await uploaded(boss, otherId, fileOf())
  for (const id of [theirs, randomUUID()])
    expect(refusal(await importFile(boss, batchId, id))).toEqual([404, 'not_found'])
  const body = { byte_size: 10, content_type: 'text/csv', filename: 'pay.csv' }
  const slot = await api('POST', `/payment-batches/${batchId}/upload`, { token: boss.token, body })
  expect(refusal(await importFile(boss, batchId, slot.body.id))).toEqual([409, 'file_not_uploaded'])
})

test('a file that storage has lost, or has otherwise than it was sent, ends the import, and another one can be sent', async () => {
  const batchId = await newBatch(boss, payer.id)
  const file = fileOf(toHandle(payee.svcId))
  const [lost, changed] = [await uploaded(boss, batchId, file), await uploaded(boss, batchId, file)]
  const pathsOf = (fileId: string) => objectsOf(fileId).map((name) => join(config.storage.folder, fileId, name))
  for (const path of pathsOf(lost)) rmSync(path)
  for (const path of pathsOf(changed)) writeFileSync(path, file.replace('1.00', '9.00'))
  for (const fileId of [lost, changed]) {
    expect((await importFile(boss, batchId, fileId)).status).toBe(202)
    const message = expect.stringContaining('upload it again')
    const import_error = { line: null, code: 'file_unreadable', message }
    expect(await atRest(boss, batchId)).toMatchObject({ status: 'draft', file_id: null, rows_total: 0, import_error })
  }
  expect(await imported(boss, batchId, file)).toMatchObject({ import_error: null, rows_valid: 1 })
})

async function contactAt(destinations: readonly object[], by = boss, organizationId = payer.id): Promise<string> {
  const body = { name: 'Payee', type: 'business', destinations }
  const made = await api('POST', `/organizations/${organizationId}/payment-contacts`, { token: by.token, body })
  expect(made.status).toBe(201)
  return made.body.id as string
}

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
  const lines = [
    [toContact(randomUUID(), 'EUR'), 'payment_contact_id unknown_contact'],
    [toContact(foreign, 'EUR'), 'payment_contact_id unknown_contact'],
    [toContact(gone, 'EUR'), 'payment_contact_id unknown_contact'],
    [toContact(waiting, 'EUR'), 'payment_contact_id contact_not_approved'],
    [toContact(await contactAt([])), 'payment_contact_id destination_missing'],
    [toContact(unpayable), 'payment_contact_id destination_missing'],
    [toContact(await contactAt([WALLET]), 'USDC'), 'payment_contact_id unsupported_rail'],
    [toContact(await contactAt([BANK]), 'USD'), 'currency unsupported_currency'],
    [toContact(await contactAt([BANK]), 'EUR')],
    [toHandle('nobody-has-this'), 'payee_svc_id unknown_handle'],
    [toHandle(away.svcId), 'payee_svc_id unknown_handle'],
    [toHandle(payer.svcId), 'payee_svc_id same_account'],
    [toHandle(payee.svcId)],
    [toAccount('DE02120300000000202051')],
    ['a,b', 'null too_few_cells'],
  ] as const
  const batchId = await newBatch(boss, payer.id)
  await imported(boss, batchId, fileOf(...lines.map(([line]) => line)))
  const rows = await rowsOf(boss, batchId)
  expect(errorsOf(rows)).toEqual(lines.map(([, ...errors]) => errors))
  // a contact of strangers reads like one that does not exist
  expect(rows[1]).toEqual({ ...rows[0], id: rows[1].id, row_number: 2, line: 3, cells: rows[1].cells })
  const kept =
    await owner`select rail, payee_organization_id, payment_contact_id, destination_id, fingerprint is null as unbanked
    from payment_batch_rows where payment_batch_id = ${batchId} and status = 'valid' order by row_number`
  const nobody = { payee_organization_id: null, payment_contact_id: null, destination_id: null, unbanked: true }
  const contact = { payment_contact_id: expect.any(String), destination_id: expect.any(String) }
  expect(kept).toEqual([
    { ...nobody, rail: 'fiat', ...contact },
    { ...nobody, rail: 'svc_id', payee_organization_id: payee.id },
    { ...nobody, rail: 'fiat', unbanked: false },
  ])
})

test('where the policy asks for approved contacts, a row that names none has to pay what one of them is paid at', async () => {
  const [payerBoss, other] = [await person({ authenticator: true }), await organization(await person(), 'Other')]
  const { id } = await organization(payerBoss, 'Careful')
  const handle = { type: 'svc_id', svc_id: payee.svcId }
  const known = [await contactAt([BANK], payerBoss, id), await contactAt([handle], payerBoss, id)] as const
  await setRules(id, payerBoss, [{ action_type: 'payment_contact', steps: [{ required: 1, roles: ['owner'] }] }])
  const file = fileOf(
    toAccount('DE89370400440532013000'),
    toAccount('de02 1203 0000 0000 2020 51'),
    toHandle(other.svcId),
    toHandle(payee.svcId),
    toContact(known[1]),
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
  const file = fileOf(
    toHandle(payee.svcId, '7'),
    toContact(bankContact, 'EUR'),
    toHandle(payee.svcId, '8'),
    toAccount('DE75 5121 0800 1245 1261 99', '1.0'),
    `,${contactId},,,7.00,USD,${TERMS}`,
    toAccount('DE75512108001245126199', '2.00'),
  )
  await imported(boss, batchId, file)
  const rows = await rowsOf(boss, batchId)
  expect(rows.map(({ status }) => status)).toEqual(Array(6).fill('valid'))
  type Warning = { code: string; message: string }
  const codes = rows.map(({ warnings }) =>
    warnings
      .filter(({ code }: Warning) => code !== 'address_missing')
      .map(({ code, message }: Warning) => `${code} ${/\d+/.exec(message)?.[0]}`),
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

test('whatever stands in cells is kept, and is paid nowhere by itself', async () => {
  const right = ['\\N', '\\.', 'a\\tb', '\u{1F4B8}', "'; drop table x", '{}', '\\x00', '=1+1']
  const wrong = [
    ['\t', 'required'],
    ['\uFEFF', 'required'],
    ['a\u0007b', 'malformed'],
    ['a\u202eb', 'malformed'],
    ['nul\0', 'malformed'],
    ['é'.repeat(4000), 'too_long'],
  ] as const
  const cells = (text: string) =>
    [payee.svcId, '', '', '', '1.00', 'USD', text, 'x'].map((cell) => `"${cell}"`).join(',')
  const all = [...right, ...wrong.map(([text]) => text)]
  const batchId = await newBatch(boss, payer.id)
  await imported(boss, batchId, fileOf(...all.map(cells)))
  const rows = await rowsOf(boss, batchId)
  expect(rows.map((row) => row.cells.payout_reason)).toEqual(all)
  expect(errorsOf(rows)).toEqual([...right.map(() => []), ...wrong.map(([, code]) => [`payout_reason ${code}`])])
  const texts = await owner`
    select payout_reason from payment_batch_rows where payment_batch_id = ${batchId} and status = 'valid'
    order by row_number`
  expect(texts.map((row) => row['payout_reason'])).toEqual(right)
})
