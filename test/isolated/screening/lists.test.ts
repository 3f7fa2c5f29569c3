/** Lists of sanctions in files: read when they change, replaced as a whole, and asked about names. */
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { keysOfName, wordsOfName } from '../../../domain/screening/names.ts'
import { connect } from '../../support/connections.ts'
import { EU_ENTITY, EU_PERSON, euList, ofacList, unList } from '../../support/screening/samples.ts'

const folder = mkdtempSync(join(tmpdir(), 'lists-'))
afterAll(() => rmSync(folder, { recursive: true }))
const [eu, un, ofac] = [join(folder, 'eu.xml'), join(folder, 'un'), join(folder, 'sdn.xml')]
mkdirSync(un)
connect({
  bank: { serves: [{ rail: 'fiat' }] },
  custodian: { serves: [{ rail: 'crypto' }] },
  rates: { serves: [{ rates: true }] },
  watch: { driver: 'lists', serves: [{ screening: true }], lists: { eu, un, ofac } },
})
process.env['PARTNER_POLL_SECONDS'] = '0.05'
const { readScreeningLists } = await import('../../../activities/screening.ts')
const { auditService } = await import('../../../activities/audits.ts')
const { administer } = await import('../../../admin.ts')
const { searchLists } = await import('../../../services/screening/lists.ts')
const { LIST_CONNECTIONS } = await import('../../../services/screening/settings.ts')
const { owner } = await import('../../support/database.ts')
const { serviceFindings } = await import('../../support/ledger/books.ts')
const { usePartners } = await import('../../support/partners/partners.ts')
const { answersOf, payeeNamed, screeningsOf } = await import('../../support/screening/screenings.ts')
const { until } = await import('../../support/until.ts')
const { useWorker } = await import('../../support/worker.ts')

usePartners()
useWorker()

const readAll = () => readScreeningLists({ connection: 'watch' })
const subjects = async () => {
  const rows = await owner<{ list: string; count: number }[]>`
    select list, count(*)::int as count from screening_entries group by 1 order by 1`
  return Object.fromEntries(rows.map(({ list, count }) => [list, count]))
}
const ask = async (name: string, of: 'person' | 'entity', more: { born?: string; country?: string } = {}) => {
  const answer = await searchLists(LIST_CONNECTIONS[0]!, {
    name,
    of,
    country: more.country ?? null,
    born: more.born ?? null,
  })
  return answer?.matches.map(({ list, reference, score }) => ({ list, reference, score })) ?? null
}
/** Opens a fresh list: published today. */
const today = () => new Date().toISOString()

test('before all lists were read no name is answered, and that is a finding', async () => {
  writeFileSync(eu, euList(EU_PERSON + EU_ENTITY, today()))
  expect(await readAll()).toEqual({ read: 1, refused: 2 })
  expect(await ask('Viktor Brandis', 'person')).toBe(null)
  const at = await payeeNamed('Clear Trading')
  await until('it was asked in vain', async () => (await screeningsOf(at.contact)).some(({ asks }) => asks > 0))
  expect(await serviceFindings('screening')).toEqual(
    expect.arrayContaining(['screening_list_missing watch:un', 'screening_list_unreadable watch:ofac']),
  )
  writeFileSync(join(un, 'old.xml'), 'no list')
  utimesSync(join(un, 'old.xml'), 1, 1)
  writeFileSync(join(un, 'new.xml'), unList().replace(/dateGenerated="[^"]*"/, `dateGenerated="${today()}"`))
  writeFileSync(
    ofac,
    ofacList().replace(
      '11/22/2026',
      new Date().toLocaleDateString('en-US', { timeZone: 'UTC', year: 'numeric', month: '2-digit', day: '2-digit' }),
    ),
  )
  expect(await readAll()).toEqual({ read: 2, refused: 0 })
  expect(await subjects()).toEqual({ eu: 2, ofac: 2, un: 2 })
  expect(new Set((await answersOf(at.contact)).filter((status) => status !== 'superseded'))).toEqual(new Set(['clear']))
  expect(await serviceFindings('screening')).toEqual([])
  expect(await readAll()).toEqual({ read: 0, refused: 0 }) // nothing has changed
})

test.each<[string, 'person' | 'entity', object, readonly string[]]>([
  ['Brandis, Victor', 'person', {}, ['eu EU.9001.10']],
  ['Виктор Брандис', 'person', {}, ['eu EU.9001.10']],
  ['Viktor Brandis', 'person', { born: '1961-03-07' }, ['eu EU.9001.10']],
  ['Viktor Brandis', 'person', { born: '1985' }, []],
  ['Viktor Brandis', 'person', { country: 'DE' }, ['eu EU.9001.10']],
  ['Hassan Khalid', 'person', {}, ['un XXi.901']],
  ['Golden Orient Lines Ltd', 'entity', {}, ['un XXe.902']],
  ['Omar Gaddafi Sample', 'person', {}, ['ofac 99001']],
  ['Listed Trading', 'entity', {}, ['eu EU.9002.20']],
  ['Sample Ship', 'entity', {}, []],
  ['Clear Trading', 'entity', {}, []],
])('%s (%s, %j)', async (name, of, more, expected) =>
  expect((await ask(name, of, more))?.map(({ list, reference }) => `${list} ${reference}`)).toEqual(expected),
)

test('a payee of a listed name is held, and operators see list, number, name and score', async () => {
  const at = await payeeNamed('Listed Trading GmbH')
  expect(await answersOf(at.contact)).toContain('possible')
  const [match] = (await screeningsOf(at.contact)).filter(({ status }) => status === 'possible')
  expect(match?.editions).toMatch(/^eu \d{4}-\d\d-\d\d [0-9a-f]{8}, un .*, ofac /)
  expect(await administer(['screening', 'show', match!.id])).toMatch(
    /Listed Trading LLC, number EU\.9002\.20 of the consolidated list of the European Union: \d+ of 100: the names agree/,
  )
})

test('a file that is hostile, cut or another list changes nothing, is a finding, and is not read again', async () => {
  const before = await subjects()
  for (const text of ['<!DOCTYPE a><export/>', euList().slice(0, 900), unList(), '']) {
    writeFileSync(eu, text)
    expect(await readAll()).toEqual({ read: 0, refused: 1 })
    expect(await readAll()).toEqual({ read: 0, refused: 0 })
    expect(await subjects()).toEqual(before)
    expect(await ask('Viktor Brandis', 'person')).toHaveLength(1)
    expect(await serviceFindings('screening')).toEqual(['screening_list_unreadable watch:eu'])
  }
  rmSync(eu)
  expect(await readAll()).toEqual({ read: 0, refused: 1 })
  expect(await administer(['screening', 'lists'])).toContain('its latest file cannot be read: There is no file')
  writeFileSync(eu, euList(EU_PERSON, today()))
  expect(await readAll()).toEqual({ read: 1, refused: 0 })
  expect(await serviceFindings('screening')).toEqual([])
  expect(await subjects()).toEqual({ ...before, eu: 1 })
  expect(await ask('Listed Trading', 'entity')).toEqual([])
})

test('a list that was published more than seven days ago is a finding of the audit until a fresh one is read', async () => {
  const days = (count: number) => new Date(Date.now() - count * 86_400_000).toISOString()
  writeFileSync(eu, euList(EU_PERSON, days(9)))
  await readAll()
  expect(await serviceFindings('screening')).toEqual(['screening_list_old watch:eu'])
  writeFileSync(eu, euList(EU_PERSON, 'unknown')) // then the time of the file counts
  const before = new Date(Date.now() - 9 * 86_400_000)
  utimesSync(eu, before, before)
  await readAll()
  await auditService()
  expect(await serviceFindings('screening')).toEqual(['screening_list_old watch:eu'])
  writeFileSync(eu, euList(EU_PERSON + EU_ENTITY, days(1)))
  await readAll()
  expect(await serviceFindings('screening')).toEqual([])
})

test('one question reads few entries of a long list', async () => {
  const one = (at: number) => {
    const digits = String((at * 104_729) % 100_000_000).padStart(8, '1')
    const spelled = Array.from(digits, (digit) => 'bdfklmnprs'[Number(digit)] + 'aiuaiuaiua'[Number(digit)]!).join('')
    return EU_ENTITY.replace('EU.9002.20', `EU.${at}`)
      .replace('Listed Trading LLC', `${spelled} Holding`)
      .replace('Severny Metall', `Trading ${spelled}`)
  }
  writeFileSync(eu, euList(EU_PERSON + EU_ENTITY + Array.from({ length: 2000 }, (_, at) => one(at)).join(''), today()))
  expect(await readAll()).toEqual({ read: 1, refused: 0 })
  const keys = keysOfName(wordsOfName('Listed Trading', 'entity'), 'asked')
  const text = await owner.begin(async (tx) => {
    await tx`set local enable_seqscan = off` // the table of a test is small
    const plan = await tx<{ 'QUERY PLAN': string }[]>`
      explain (costs off) select e.reference from (
        select * from screening_entries where keys && ${keys}::integer[] offset 0) e
      where e.connection = 'watch' and e.list = any ('{eu,un,ofac}')`
    return plan.map((line) => line['QUERY PLAN']).join()
  })
  expect(text).toContain('screening_entries_keys')
  const read = await owner<{ reference: string }[]>`
    select reference from screening_entries where keys && ${keys}::integer[]`
  expect(read.map(({ reference }) => reference)).toContain('EU.9002.20')
  expect(read.length).toBeLessThan(40) // of more than 2000
})
