/** A database restored to an earlier state is reported until an operator accepts it. */
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { v7 } from 'uuid'
import { expect, test } from 'vitest'
import { administer } from '../../../admin.ts'

import { readWitness } from '../../../services/events/witness.ts'
import { keyOf, put } from '../../../platform/storage/storage.ts'
import type { FileId } from '../../../domain/ids.ts'
import { extendChain } from '../../../temporal/chain.ts'
import { keepWitness } from '../../../temporal/witness.ts'
import { api, createPayment, join, organization, payerAndPayee, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { calledBack } from '../../support/partners/partners.ts'

const faults = async (): Promise<string[]> => (await api('GET', '//readyz')).body.faults
const warned = async (by: { token: string }, id: string) =>
  (await api('GET', `/organizations/${id}/attention?kind=database_behind`, { token: by.token })).body.data
const rename = (by: { token: string }, id: string, name: string) =>
  api('PATCH', `/organizations/${id}`, { token: by.token, body: { name } })

/** Restores a backup from before the latest event of an organization. */
const loseLatest = (organizationId: string) =>
  owner.begin(async (tx) => {
    await tx`set local session_replication_role = replica` // past every trigger, as a restore is
    const [lost] = await tx<{ id: string }[]>`
      select id from events where organization_id = ${organizationId} order by id desc limit 1`
    await tx`delete from event_chain where event_id = ${lost?.id ?? ''}`
    await tx`delete from events where id = ${lost?.id ?? ''}`
    return lost?.id
  })

test('a log that lacks what storage has witnessed is told to operators and to its owners, until that is accepted', async () => {
  const [boss, member] = [await person(), await person()]
  const [house, other] = [await organization(boss, 'House'), await organization(boss, 'Other')]
  await join(house.id, member, 'member')
  await extendChain()
  await keepWitness()
  await rename(boss, house.id, 'Household')
  await keepWitness()
  await keepWitness()
  expect(await faults()).toEqual([])
  const lost = await loseLatest(house.id)
  await keepWitness()
  await keepWitness()
  expect(await faults()).toEqual(['database_behind'])
  expect((await api('GET', '//readyz')).status).toBe(200)
  const subject = { type: 'organization', organization_id: house.id }
  const item = { kind: 'database_behind', severity: 'blocking', actionable_by_viewer: false, subject }
  expect(await warned(boss, house.id)).toMatchObject([item])
  expect([await warned(boss, other.id), await warned(member, house.id)]).toEqual([[], []])
  expect(await administer(['books', 'findings'])).toContain(`database_behind event:${lost}`)
  // later events do not hide the missing ones
  await rename(boss, house.id, 'Houses')
  await keepWitness()
  expect(JSON.stringify(await readWitness())).toContain(lost)
  expect(await administer(['books', 'accept'])).toContain('1 organization')
  expect([await faults(), await warned(boss, house.id)]).toEqual([[], []])
  await keepWitness()
  expect(await faults()).toEqual([])
  await expect(administer(['books', 'accept'])).rejects.toMatchObject({ type: 'invalid_state' })
})

test('the witness holds the last event of an organization, also after one whose id is derived', async () => {
  const { boss, payer, contactId } = await payerAndPayee()
  await createPayment(boss, contactId) // its first event has the highest id of all
  await rename(boss, payer.id, 'Renamed')
  const [last] = await owner<{ id: string }[]>`
    select id from events where organization_id = ${payer.id} and type = 'organization.updated'`
  await keepWitness()
  const witness = await readWitness()
  expect(witness).toContainEqual(expect.objectContaining({ organization_id: payer.id, event_id: last?.id }))
})

test('a partner that calls about a payment of ours that the database lacks says the same; a strange id says nothing', async () => {
  const call = async (id: string) => expect((await calledBack(id)).status).toBe(204)
  await call(randomUUID())
  expect(await faults()).toEqual([])
  const id = v7()
  await call(id)
  expect(await faults()).toEqual(['database_behind'])
  expect(await administer(['books', 'findings'])).toContain(`database_behind payment:${id}`)
  await administer(['books', 'accept'])
  await call(id)
  expect(await faults()).toEqual([])
})

test('a witness that is not as it was signed is told, and stays until an operator accepts it', async () => {
  const forged = async function* () {
    yield Buffer.from(`${JSON.stringify({ key_id: 'other', statement: '{}', signature: 'x' })}\n`)
  }
  for (const content of [forged(), Readable.from([Buffer.from('no JSON')])]) {
    await put(keyOf('event-heads' as FileId, 'latest'), content) // the place of the heads
    await keepWitness()
    expect(await readWitness()).toBe('unreadable')
    expect(await faults()).toEqual(['database_behind'])
    await administer(['books', 'accept'])
    expect([await faults(), Array.isArray(await readWitness())]).toEqual([[], true])
  }
})
