/** Details of an onboarding at rest: rotation of their keys, and their purge. */
import { randomBytes } from 'node:crypto'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'

const { encryptBefore, rowBefore } = await vi.hoisted(async () => {
  vi.stubEnv('ENCRYPTION_KEYS', '')
  const { encrypt, encryptForRow } = await import('../../../platform/encryption.ts')
  vi.resetModules()
  return { encryptBefore: encrypt, rowBefore: encryptForRow }
})
vi.stubEnv(
  'ENCRYPTION_KEYS',
  `k2:${randomBytes(32).toString('base64')},dev1:3q2+7wABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhs=`,
)
const { decrypt, decryptForRow } = await import('../../../platform/encryption.ts')
const { openPaper, sealPapers } = await import('../../../services/onboarding/papers.ts')
const { purgeOnboarding } = await import('../../../services/onboarding/steps.ts')
const { viewOnboarding } = await import('../../../services/onboarding/view.ts')
const { purgeFiles } = await import('../../../services/files/purge.ts')
const { reencryptAll } = await import('../../../services/maintenance/key-rotation.ts')
const { asSystem, readerOf } = await import('../../../db/postgres/sql.ts')
const { config } = await import('../../../platform/config.ts')
const { organization, person } = await import('../../support/api.ts')
const { owner } = await import('../../support/database.ts')
const { objectsOf } = await import('../../support/files/files.ts')
const { PDF, filledIn, readOnboarding, submit } = await import('../../support/onboarding/onboarding.ts')
const { moveOrganization } = await import('../../support/organizations/status.ts')

async function submitted(before: (id: string) => unknown = () => {}) {
  const boss = await person()
  const { id } = await organization(boss, 'Kept')
  await filledIn(boss, id, 'Kept GmbH')
  expect((await submit(boss, id)).status).toBe(200)
  await before(id)
  await sealPapers(id as never)
  return { boss, id }
}

type Sealed = { id: string; column: string; sealed: Buffer }
const sealedOf = (id: string) => owner<Sealed[]>`
  select id, 'entity' as column, entity as sealed from onboardings where organization_id = ${id}
  union all select id, 'submitted', submitted from onboardings where organization_id = ${id}
  union all select id, 'sealed', sealed from onboarding_people where organization_id = ${id}
  union all select id, 'sealed_key', sealed_key from onboarding_documents where organization_id = ${id}`
const TABLES: Readonly<Record<string, string>> = {
  entity: 'onboardings',
  submitted: 'onboardings',
  sealed: 'onboarding_people',
  sealed_key: 'onboarding_documents',
}

test('entity, submission, people and the keys of papers are sealed anew by the first key, and open as before', async () => {
  const { boss, id } = await submitted()
  const before = await readOnboarding(boss, id)
  for (const { id: row, column, sealed } of await sealedOf(id)) {
    const earlier =
      column === 'sealed_key' ? encryptBefore(decrypt(sealed)) : rowBefore(row, decryptForRow(row, sealed) as object)
    await owner`update ${owner(TABLES[column] ?? '')} set ${owner(column)} = ${earlier} where id = ${row}`
  }
  const keys = async () =>
    new Set((await sealedOf(id)).map(({ sealed }) => sealed.subarray(1, 1 + (sealed[0] ?? 0)).toString()))
  expect(await keys()).toEqual(new Set(['dev1']))
  await reencryptAll()
  expect(await keys()).toEqual(new Set(['k2']))
  expect(await readOnboarding(boss, id)).toEqual(before)
  for (const { id: paper } of before.documents) expect(await openPaper(id as never, paper)).toEqual(PDF)
})

test('what is kept of a deleted organization is purged when its time is over, and not before', async () => {
  const { id } = await submitted()
  await moveOrganization(id as never, 'delete')
  const [row] = await owner<{ id: string }[]>`select id from onboardings where organization_id = ${id}`
  const [paper] = await owner<{ id: string }[]>`select id from onboarding_documents where organization_id = ${id}`
  const purge = () => asSystem(id as never, (tx) => purgeOnboarding(tx, row?.id as never))
  const isDue = async () => {
    const view = await viewOnboarding(readerOf(id as never), row?.id as never)
    return view?.at_rest === false && view.purge_due
  }
  await purge()
  expect([await isDue(), (await sealedOf(id)).length]).toEqual([false, 6])
  await owner`update onboardings set ended_at = business_now() - interval '5 years 1 day' where organization_id = ${id}`
  expect(await isDue()).toBe(true)
  await purge()
  await purge() // a repeat changes nothing
  const left = await owner`
    select o.status, o.entity, o.submitted, o.verified_name,
      (select count(*)::int from onboarding_people p where p.organization_id = o.organization_id) as people,
      (select count(*)::int from onboarding_documents d where d.organization_id = o.organization_id) as papers
    from onboardings o where o.organization_id = ${id}`
  expect(left).toMatchObject([
    { status: 'purged', entity: null, submitted: null, verified_name: null, people: 0, papers: 0 },
  ])
  expect(objectsOf(paper?.id ?? '')).toHaveLength(1)
  await owner`update files set purge_at = business_now() where id = ${paper?.id ?? ''}`
  await purgeFiles()
  expect(objectsOf(paper?.id ?? '')).toHaveLength(0)
})

test('a paper that storage has lost holds no review, and is asked for again', async () => {
  const lose = async (id: string) => {
    const [paper] = await owner<{ id: string }[]>`
      select id from onboarding_documents where organization_id = ${id} and kind = 'articles'`
    rmSync(join(config.storage.folder, paper?.id ?? expect.fail('there is no paper')), { recursive: true })
  }
  const { boss, id } = await submitted(lose)
  const [row] = await owner<{ id: string }[]>`select id from onboardings where organization_id = ${id}`
  const view = await viewOnboarding(readerOf(id as never), row?.id as never)
  expect(view).toMatchObject({ status: 'submitted', papers_due: false })
  const { documents, requirements } = await readOnboarding(boss, id)
  expect(documents.map(({ kind }: { kind: string }) => kind)).toEqual(['register_extract', 'identity'])
  expect(requirements.filter(({ field }: { field: string }) => field === 'documents.articles')).toMatchObject([
    { status: 'open' },
  ])
})
