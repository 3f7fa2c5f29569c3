/** Coding of bills: a chart and dimensions by hand, lines that are coded and split, and proposed to the next bill. */
import { expect, test } from 'vitest'
import { type TestPerson, api, organization, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { fullRefusal } from '../../support/http/refusals.ts'
import { upload } from '../../support/files/pictures.ts'

const boss: TestPerson = await person({ authenticator: true })
const { id: org } = await organization(boss, 'Coding')
const put = (path: string, body: object, token = boss.token) => api('PUT', path, { token, body })
const get = async (path: string) => (await api('GET', path, { token: boss.token })).body

const CHART = `/organizations/${org}/accounts-chart`
const DIMENSIONS = `/organizations/${org}/dimensions`
const account = (code: string) => ({ code, name: `Account ${code}`, account_type: 'expense' })
const TAX = [{ code: 'VSt19', name: 'Input tax 19 %', rate: '19' }]
const AREAS = [
  { code: 'department', name: 'Department', values: [{ code: 'sales', name: 'Sales' }, { code: 'it', name: 'IT' }] },
  { code: 'project', name: 'Project', values: [{ code: 'p1', name: 'One' }] },
] // prettier-ignore

/** Adds a bill with lines, as its file would have them. */
async function billOf(supplier_name: string, lines: readonly (readonly [description: string, amount: string])[]) {
  const body = { supplier_name, amount: '119.00', currency: 'EUR', bill_number: `R-${Math.random()}` }
  const { body: bill } = await api('POST', `/organizations/${org}/bills`, { token: boss.token, body })
  const items = lines.map(([description, amount]) => ({ description, quantity: '1', unit: null, unit_price: amount, amount, tax_rate: '19' })) // prettier-ignore
  await owner`update bills set line_items = ${owner.json(items)} where id = ${bill.id}`
  return `/bills/${bill.id as string}/coding`
}

const codesOf = (body: any) => body.lines.map((one: any) => [one.coded_by, one.parts.map((part: any) => [part.amount, part.account_code])]) // prettier-ignore

test('accounts and tax codes that are not named are archived, come back when they are named, and are never deleted', async () => {
  expect((await put(CHART, { accounts: [account('4900'), account('4930')], tax_codes: TAX })).body).toEqual({
    accounts: [account('4900'), account('4930')].map((one) => ({ ...one, archived_at: null })),
    tax_codes: [{ ...TAX[0], archived_at: null }],
  })
  const { body } = await put(CHART, { accounts: [account('4930')], tax_codes: TAX })
  expect(body.accounts.map((one: any) => [one.code, one.archived_at !== null])).toEqual([['4900', true], ['4930', false]]) // prettier-ignore
  await put(CHART, { accounts: [account('4900'), account('4930'), account('4980')], tax_codes: TAX })
  expect((await get(CHART)).accounts.every((one: any) => one.archived_at === null)).toBe(true)
  const twice = await put(CHART, { accounts: [account('1'), account('1')], tax_codes: [] })
  expect(twice.status).toBe(400)
  expect((await api('POST', `${CHART}/import`, { token: boss.token, body: {} })).body.error.type).toBe('accounting_not_connected') // prettier-ignore
  const events = await owner`select payload::jsonb -> 'changed' as changed from events where organization_id = ${org} and type = 'accounts_chart.changed' order by occurred_at, id` // prettier-ignore
  expect(events.map(({ changed }) => changed)).toEqual([['4900', '4930', 'VSt19'], ['4900'], ['4900', '4980']])
})

test('four times the codes that may be chosen are kept, and an event names a hundred', async () => {
  const { id } = await organization(boss, 'Full')
  const path = `/organizations/${id}`
  const many = Array.from({ length: 101 }, (_, at) => account(`${1000 + at}`))
  expect((await put(`${path}/accounts-chart`, { accounts: many, tax_codes: [] })).status).toBe(200)
  const [event] = await owner`select payload::jsonb as payload from events where organization_id = ${id} and type = 'accounts_chart.changed'` // prettier-ignore
  expect(event?.['payload']).toMatchObject({ count: 101, changed: many.slice(0, 100).map(({ code }) => code) })
  await owner`
    insert into chart_accounts (organization_id, code, name, account_type, archived_at)
    select ${id}, 'old' || n, 'Old', 'expense', now() from generate_series(1, 20000 - 101) n`
  await owner`insert into dimensions (organization_id, code, name) values (${id}, 'project', 'Project')`
  await owner`
    insert into dimension_values (organization_id, dimension, code, name, archived_at)
    select ${id}, 'project', 'old' || n, 'Old', now() from generate_series(1, 8000) n`
  const full = await put(`${path}/accounts-chart`, { accounts: [account('new')], tax_codes: [] })
  expect(fullRefusal(full)).toEqual([422, 'unprocessable_entity', { reason: 'too_many_codes', field: 'chart_accounts', limit: 20_000 }]) // prettier-ignore
  expect((await put(`${path}/accounts-chart`, { accounts: [account('old1')], tax_codes: [] })).status).toBe(200)
  const project = { code: 'project', name: 'Project', values: [{ code: 'new', name: 'New' }] }
  const values = await put(`${path}/dimensions`, { dimensions: [project] })
  expect(fullRefusal(values)).toEqual([422, 'unprocessable_entity', { reason: 'too_many_codes', field: 'dimension_values', limit: 8000 }]) // prettier-ignore
})

test('accounts of the connected books join the chart, and others stay', async () => {
  const { id } = await organization(boss, 'Books')
  await owner`
    insert into accounting_connections (id, organization_id, provider, status, tenant_id, tenant_name,
      provider_connection_id, sealed, access_expires_at, connected_by, ended_at)
    values (gen_random_uuid(), ${id}, 'xero', 'needs_reconnect', 'books', 'Books', 'c', '', now(), ${boss.userId}, now())`
  await owner`
    insert into accounting_accounts (organization_id, tenant_id, code, name, account_type, takes_payments)
    values (${id}, 'books', '400', 'Advertising', 'expense', false), (${id}, 'other', '1', 'Of others', 'expense', false)`
  const path = `/organizations/${id}/accounts-chart`
  await put(path, { accounts: [account('4900')], tax_codes: TAX })
  const { body } = await api('POST', `${path}/import`, { token: boss.token, body: {} })
  expect(body.accounts.map((one: any) => [one.code, one.name])).toEqual([['400', 'Advertising'], ['4900', 'Account 4900']]) // prettier-ignore
  expect(body.tax_codes).toHaveLength(1)
})

test('dimensions and values are archived like accounts', async () => {
  expect((await put(DIMENSIONS, { dimensions: AREAS })).status).toBe(200)
  await put(DIMENSIONS, { dimensions: [{ ...AREAS[0], values: [{ code: 'it', name: 'IT' }] }] })
  const { data } = await get(DIMENSIONS)
  expect(data.map((one: any) => [one.code, one.archived_at !== null])).toEqual([['department', false], ['project', true]]) // prettier-ignore
  expect(data[0].values.map((one: any) => [one.code, one.archived_at !== null])).toEqual([['it', false], ['sales', true]]) // prettier-ignore
  await put(DIMENSIONS, { dimensions: AREAS })
})

test('lines are coded and split to the cent; the next bill of the supplier is proposed the same until a person saves it', async () => {
  const first = await billOf('Hosting AG', [['Server in May 2026', '100.00'], ['Domain names 12', '0.10']]) // prettier-ignore
  expect(codesOf(await get(first))).toEqual([[null, []], [null, []]]) // prettier-ignore
  const labels = [{ dimension: 'department', value: 'it' }]
  const third = { share: '33.3333', account_code: '4900', labels }
  const saved = await put(first, {
    lines: [
      { line: 1, parts: [{ ...third, share: '33.3334' }, third, third] },
      { line: 2, parts: [{ account_code: '4930', tax_code: 'VSt19' }] },
    ],
  })
  expect(saved.status).toBe(200)
  const expected = [
    ['33.34', '4900'],
    ['33.33', '4900'],
    ['33.33', '4900'],
  ]
  expect(codesOf(saved.body)).toEqual([['person', expected], ['person', [['0.10', '4930']]]]) // prettier-ignore
  expect(saved.body.lines[0].parts[0].labels).toEqual(labels)

  const second = await billOf('HOSTING AG', [['Server in June 2026', '50.00'], ['Domain names 13', '0.10'], ['Other', '1.00']]) // prettier-ignore
  const proposed = await get(second)
  expect(codesOf(proposed)[0]).toEqual(['memory', [['16.67', '4900'], ['16.67', '4900'], ['16.66', '4900']]]) // prettier-ignore
  expect(codesOf(proposed).slice(1)).toEqual([['memory', [['0.10', '4930']]], [null, []]]) // prettier-ignore
  expect(await owner`select from bill_codings where bill_id = ${second.split('/')[2] ?? ''}`).toHaveLength(0)
  await put(CHART, { accounts: [account('4930')], tax_codes: TAX })
  expect(codesOf(await get(second))[0]).toEqual([null, []])
  expect(codesOf(await get(first))[0]?.[0]).toBe('person')
  await put(CHART, { accounts: [account('4900'), account('4930')], tax_codes: TAX })
})

test('all lines of a supplier that was always coded alike are proposed that, and a bill without lines is one line', async () => {
  const first = await billOf('Paper Ltd', [])
  expect((await get(first)).lines).toMatchObject([{ line: 1, amount: '119.00', parts: [] }])
  await put(first, { lines: [{ line: 1, parts: [{ account_code: '4930' }] }] })
  const second = await billOf('Paper Ltd', [['Pens', '9.00']])
  expect(codesOf(await get(second))).toEqual([['memory', [['9.00', '4930']]]])
  await owner`update bills set line_items = jsonb_set(line_items, '{0,amount}', '"8.00"') where id = ${second.split('/')[2] ?? ''}` // prettier-ignore
  expect(codesOf(await get(second))).toEqual([['memory', [['8.00', '4930']]]])
})

test('a hundred texts of a bill are compared with what was coded, and each equal one is found', async () => {
  const first = await billOf('Many AG', [['Server rent', '1.00'], ['Paper', '1.00']]) // prettier-ignore
  await put(first, { lines: ['4900', '4930'].map((account_code, at) => ({ line: at + 1, parts: [{ account_code }] })) })
  const letterOf = (at: number) => String.fromCodePoint(97 + at)
  const alike = Array.from({ length: 101 }, (_, at) => [`Server rent ${letterOf(at % 26)}${letterOf(Math.floor(at / 26))}`, '1.00'] as const) // prettier-ignore
  const coded = codesOf(await get(await billOf('Many AG', [...alike, ['Paper 7', '2.00']])))
  expect(coded.filter(([by]: [string | null]) => by === 'memory')).toHaveLength(101)
  expect(coded.slice(99)).toEqual([['memory', [['1.00', '4900']]], [null, []], ['memory', [['2.00', '4930']]]]) // prettier-ignore
})

test('a line is split into parts of two signs, which are not proposed again', async () => {
  const first = await billOf('Discounts Ltd', [['Licence', '1000.00']])
  const parts = [{ amount: '1000.50', account_code: '4900' }, { amount: '-0.50', account_code: '4930' }] // prettier-ignore
  const saved = await put(first, { lines: [{ line: 1, parts }] })
  expect([saved.status, codesOf(saved.body)]).toEqual([200, [['person', [['1000.50', '4900'], ['-0.50', '4930']]]]]) // prettier-ignore
  expect(codesOf(await get(await billOf('Discounts Ltd', [['Licence', '7.00']])))).toEqual([[null, []]])
})

test('what does not add up, names no code, or no line is refused, and nothing is saved', async () => {
  const path = await billOf('Faults', [['One', '10.00']])
  const coded = (parts: readonly object[], line = 1) => put(path, { lines: [{ line, parts }] })
  const reasonOf = async (answer: ReturnType<typeof coded>) => {
    const { body, status } = await answer
    return [status, body.error.type, body.error.details?.reason ?? null]
  }
  const wrong = (reason: string) => [422, 'invalid_coding', reason]
  expect(await reasonOf(coded([{ amount: '9.99' }]))).toEqual(wrong('not_whole'))
  expect(await reasonOf(coded([{ amount: '5.00' }, { share: '50' }]))).toEqual(wrong('mixed_parts'))
  expect(await reasonOf(coded([{ share: '50' }, { share: '49' }]))).toEqual(wrong('not_whole'))
  expect(await reasonOf(coded([{ amount: '10.001' }]))).toEqual(wrong('amount_precision'))
  expect(await reasonOf(coded([{ account_code: 'none' }]))).toEqual(wrong('unknown_code'))
  expect(await reasonOf(coded([{ labels: [{ dimension: 'department', value: 'none' }] }]))).toEqual(wrong('unknown_code')) // prettier-ignore
  expect(await reasonOf(coded([{ account_code: '4930' }], 2))).toEqual(wrong('unknown_line'))
  expect(codesOf(await get(path))).toEqual([[null, []]])
  await api('POST', path.replace('/coding', '/cancel'), { token: boss.token, body: {} })
  expect((await coded([{ account_code: '4930' }])).body.error.type).toBe('invalid_state')
})

test('bills of a contact are proposed its coding, before memory, while its codes may be chosen', async () => {
  const destination = { type: 'bank', country_code: 'DE', currency: 'EUR', account_holder_name: 'Rule AG', iban: 'DE02120300000000202051' } // prettier-ignore
  const contact = await api('POST', `/organizations/${org}/payment-contacts`, { token: boss.token, body: { name: 'Rule AG', type: 'business', destinations: [destination] } }) // prettier-ignore
  const rule = `/payment-contacts/${contact.body.id as string}/coding`
  expect((await put(rule, { account_code: 'none' })).body.error.details).toMatchObject({ field: 'account_code', reason: 'unknown_code' }) // prettier-ignore
  const labels = [{ dimension: 'department', value: 'it' }]
  const set = { account_code: '4900', tax_code: 'VSt19', labels }
  expect([(await put(rule, set)).body, await get(rule)]).toEqual([set, set])
  const first = await billOf('Rule AG', [['Server', '10.00'], ['Paper', '5.00']]) // prettier-ignore
  expect(codesOf(await get(first))).toEqual([[null, []], [null, []]]) // prettier-ignore
  await owner`update bills set payment_contact_id = ${contact.body.id} where id = ${first.split('/')[2] ?? ''}`
  expect(codesOf(await get(first))).toEqual([['rule', [['10.00', '4900']]], ['rule', [['5.00', '4900']]]]) // prettier-ignore
  expect((await get(first)).lines[0].parts[0].labels).toEqual(labels)
  await put(first, { lines: [{ line: 2, parts: [{ account_code: '4930' }] }] })
  expect(codesOf(await get(first))).toEqual([['rule', [['10.00', '4900']]], ['person', [['5.00', '4930']]]]) // prettier-ignore

  const second = await billOf('RULE AG', [['Paper', '7.00']])
  expect(codesOf(await get(second))).toEqual([['rule', [['7.00', '4900']]]])
  await put(CHART, { accounts: [account('4930')], tax_codes: TAX })
  expect(codesOf(await get(second))).toEqual([['memory', [['7.00', '4930']]]])
  await put(CHART, { accounts: [account('4900'), account('4930')], tax_codes: TAX })
  await put(rule, {})
  expect(codesOf(await get(second))[0]?.[0]).toBe('memory')
  const changes = await owner`select payload::jsonb as payload from events where subject_id = ${contact.body.id} and type = 'payment_contact.updated'` // prettier-ignore
  expect(changes).toEqual([{ payload: { changed: ['coding'] } }, { payload: { changed: ['coding'] } }])
})

test('a chart and dimensions are replaced by CSV, and a file with a fault changes nothing', async () => {
  const { id } = await organization(boss, 'By CSV')
  const at = `/organizations/${id}`
  const send = (path: string, text: string) =>
    upload(boss, `${at}/${path}/csv`, Buffer.from(text), { type: 'text/csv' })
  const chart = await send('accounts-chart', 'kind;code;name;rate\n;4900;Rent;\ntax_code;VSt19;Input tax;19\n')
  expect([chart.status, chart.body.accounts[0], chart.body.tax_codes[0]]).toMatchObject([
    200,
    { code: '4900', name: 'Rent', account_type: 'expense' },
    { code: 'VSt19', rate: '19' },
  ])
  const wrong = await send('accounts-chart', 'code,name\n1,One\n2,')
  expect([wrong.status, wrong.body.error.type, wrong.body.error.details.errors]).toMatchObject([422, 'invalid_file', [{ line: 3, column: 'name' }]]) // prettier-ignore
  expect((await send('accounts-chart', 'colour\nred')).body.error.details.errors).toMatchObject([{ line: 1, code: 'unknown_column' }]) // prettier-ignore
  expect((await get(`${at}/accounts-chart`)).accounts.map((one: any) => one.code)).toEqual(['4900'])
  const areas = await send('dimensions', 'dimension,dimension_name,value\nregion,Region,north\nregion,,south\n')
  expect(areas.body.data.map((one: any) => [one.name, one.values.map((value: any) => value.code)])).toEqual([['Region', ['north', 'south']]]) // prettier-ignore
})

test('a bill is coded by codes that are there when it commits, however often the chart is replaced meanwhile', async () => {
  const path = await billOf('Race', [['One', '10.00']])
  const id = path.split('/')[2] ?? ''
  const timesOf = async () => {
    const [row] = await owner`
      select s.coded_at <= c.updated_at as is_before from bill_codings s, chart_accounts c
      where s.bill_id = ${id} and c.organization_id = ${org} and c.code = '4900'`
    return row?.['is_before']
  }
  for (let round = 0; round < 10; round += 1) {
    const isArchiving = round % 2 === 0
    const accounts = isArchiving ? [account('4930')] : [account('4900'), account('4930')]
    const [replaced, coded, dimensions] = await Promise.all([
      put(CHART, { accounts, tax_codes: TAX }),
      put(path, { lines: [{ line: 1, parts: [{ account_code: '4900' }] }] }),
      put(DIMENSIONS, { dimensions: AREAS }),
    ])
    expect([replaced.status, dimensions.status]).toEqual([200, 200])
    expect([200, 422]).toContain(coded.status)
    // it was coded before the account was archived, or after it came back
    if (coded.status === 200) expect(await timesOf()).toBe(isArchiving)
    await owner`delete from bill_codings where bill_id = ${id}`
  }
})
