/** A person's passkeys over HTTP: limit, list, removal. */
import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { PASSKEYS_MAX } from '../../../domain/factors/passkey.ts'
import { type TestPerson, api, person } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import {
  listPasskeys,
  mailsTo,
  passkey,
  passkeyEvents,
  passkeyOptions,
  registerPasskey,
  removePasskey,
  tryPasskey,
} from '../../support/identity/passkeys.ts'
import { softwareAuthenticator } from '../../support/identity/software-authenticator.ts'

describe('a credential', () => {
  test('that is registered already, to anybody, now or once, is refused', async () => {
    const [somebody, other] = [await person(), await person()]
    const credentialId = randomBytes(32)
    const again = (by: TestPerson) => tryPasskey(by, softwareAuthenticator(), { credentialId })
    const added = (await again(somebody)).body
    await removePasskey(somebody, added.id)
    for (const answer of [await again(somebody), await again(other)]) {
      expect(refusal(answer)).toEqual([409, 'invalid_state'])
      expect(answer.body.error.details).toMatchObject({ current: 'registered', reason: 'already_registered' })
    }
  })

  test(`a person has at most ${PASSKEYS_MAX}, also when several are added at once`, async () => {
    const somebody = await person()
    await passkey(somebody)
    await fill(somebody, PASSKEYS_MAX - 3)
    const credentials = await Promise.all(
      Array.from({ length: 4 }, async () => softwareAuthenticator().register(await passkeyOptions(somebody))),
    )
    const answers = await Promise.all(credentials.map((credential) => registerPasskey(somebody, credential)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 422, 422])
    const refused = await api('POST', '/me/passkeys/options', { token: somebody.token })
    expect(refusal(refused)).toEqual([422, 'unprocessable_entity'])
    expect(refused.body.error.details).toEqual({ reason: 'too_many_passkeys', limit: PASSKEYS_MAX })
    const { data } = await listPasskeys(somebody)
    expect(data).toHaveLength(PASSKEYS_MAX)
    await removePasskey(somebody, data[0].id)
    expect((await tryPasskey(somebody)).status).toBe(201)
  })
})

/** Passkeys without a device. */
const fill = (somebody: TestPerson, count: number) => owner`
  insert into passkeys (user_id, name, credential_id, public_key, counter, synced)
  select ${somebody.userId}, 'Passkey ' || n, 'made-up-' || gen_random_uuid(), '\\x00', 0, false
  from generate_series(1, ${count}::int) n`

describe('the list and removal', () => {
  test('page by page, newest first, and a cursor outlives the removal of its passkey', async () => {
    const somebody = await person()
    const added = [await passkey(somebody), await passkey(somebody), await passkey(somebody)].map(({ id }) => id)
    const ids = (page: any) => page.data.map(({ id }: any) => id)
    const first = await listPasskeys(somebody, '?limit=2')
    expect(ids(first)).toEqual([added[2], added[1]])
    expect(first).toMatchObject({ has_more: true, next_cursor: added[1] })
    await removePasskey(somebody, added[1])
    expect(ids(await listPasskeys(somebody, `?limit=2&cursor=${first.next_cursor}`))).toEqual([added[0]])
    const stranger = await api('GET', `/me/passkeys?cursor=${added[0]}`, { token: (await person()).token })
    expect([stranger.status, stranger.body.error.details.errors[0].code]).toEqual([400, 'unknown_cursor'])
  })

  test('20 removals at once remove once, with one event and one mail', async () => {
    const somebody = await person()
    const { id } = await passkey(somebody)
    const answers = await Promise.all(Array.from({ length: 20 }, () => removePasskey(somebody, id)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array<number>(19).fill(404)])
    expect((await listPasskeys(somebody)).data).toEqual([])
    expect((await passkeyEvents(somebody)).map(({ type }) => type)).toEqual(['passkey.added', 'passkey.removed'])
    const mails = await mailsTo(somebody)
    expect(mails.filter((subject: string) => subject === 'A passkey was removed from your account')).toHaveLength(1)
  })

  test('removal asks for step-up; a passkey of another device says so', async () => {
    const somebody = await person()
    await fill(somebody, 1)
    const { data } = await listPasskeys(somebody)
    expect(data).toMatchObject([{ name: 'Passkey 1', device_id: null, this_device: false }])
    const refused = await api('DELETE', `/me/passkeys/${data[0].id}`, { token: somebody.token })
    expect(refusal(refused)).toEqual([403, 'step_up_required'])
    expect((await listPasskeys(somebody)).data).toEqual(data)
  })
})
