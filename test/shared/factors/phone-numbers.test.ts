/** Phone numbers: confirmed by a code; a thief of a session cannot get the person's codes. */
import { describe, expect, test } from 'vitest'
import { codeRecipient } from '../../../services/factors/messaging-codes.ts'
import type { UserId } from '../../../domain/ids.ts'
import { transaction } from '../../../db/postgres/sql.ts'
import { type TestPerson, api, organization, person as plain, withStepUp } from '../../support/api.ts'
import { owner } from '../../support/database.ts'
import { refusal } from '../../support/http/refusals.ts'
import { advance, codeTo, newNumber, sentTo, signedInBy } from '../../support/identity/identity.ts'
import { MANY } from '../../support/model-runs.ts'

/** Makes a person who has just confirmed their sign-up. */
const person = async () => signedInBy(await plain(), 'sign_up')
const add = ({ token }: TestPerson, e164: unknown) => api('POST', '/me/phone-numbers', { token, body: { e164 } })
const confirm = ({ token }: TestPerson, e164: string, code: string) =>
  api('POST', '/me/phone-numbers/confirm', { token, body: { e164, code } })
const remove = ({ token }: TestPerson, e164: string) =>
  api('DELETE', `/me/phone-numbers/${encodeURIComponent(e164)}`, { token })
const numbersOf = async ({ token }: TestPerson) => (await api('GET', '/me', { token })).body.phone_numbers
const wrong = (code: string) => (code === '000000' ? '111111' : '000000')
const eventsOf = ({ userId }: TestPerson) =>
  owner`select type, session_id, details from security_events
    where user_id = ${userId} and type like 'phone_number.%' order by id`
/** The present recipient of this person's messaging codes. */
const codesGoTo = async ({ userId }: TestPerson) =>
  (await transaction((tx) => codeRecipient(tx, userId as UserId))).recipient // the id of a row that was just written

/** Adds a number, unless it is there, and returns the code that was sent. */
async function added(somebody: TestPerson, e164: string): Promise<string> {
  expect((await add(somebody, e164)).status).toBe(200)
  return codeTo(e164)
}

async function confirmed(somebody: TestPerson, e164 = newNumber()): Promise<string> {
  expect((await confirm(somebody, e164, await added(somebody, e164))).status).toBe(200)
  return e164
}

async function openWindow(somebody: TestPerson): Promise<void> {
  const { id } = await organization(somebody)
  const path = `/organizations/${id}/settings`
  expect((await withStepUp('PATCH', path, { token: somebody.token, body: {} })).status).toBe(200)
}

describe('adding', () => {
  test('sends a code to the number; the code confirms it, once', async () => {
    const somebody = await person()
    const e164 = newNumber()
    const written = ` +1 (213) ${e164.slice(5, 8)}-${e164.slice(-4)} `
    const sent = await add(somebody, written)
    expect(sent.status).toBe(200)
    expect(sent.body).toEqual({ status: 'code_sent', e164, expires_at: expect.stringMatching(/Z$/) })
    expect(await numbersOf(somebody)).toEqual([{ confirmed: false, e164 }])
    const [message, ...more] = await sentTo(e164)
    expect(message).toMatchObject({ channel: 'message', code: expect.stringMatching(/^[0-9]{6}$/) })
    expect(more).toEqual([])

    const code = message?.code ?? ''
    const done = await confirm(somebody, written, ` ${code.slice(0, 3)} ${code.slice(3)} `)
    const body = { id: somebody.userId, phone_numbers: [{ confirmed: true, e164 }] }
    expect([done.status, done.body]).toMatchObject([200, body])
    const twice = await confirm(somebody, e164, code)
    expect(refusal(twice)).toEqual([422, 'code_invalid'])
    expect(twice.body.error.details.remaining_attempts).toBe(0)
    expect(refusal(await add(somebody, e164))).toEqual([409, 'invalid_state'])
  })

  test('is in the log with two digits, and told by mail, once for many confirmations at once', async () => {
    const [somebody, e164] = [await person(), newNumber()]
    const code = await added(somebody, e164)
    const answers = await Promise.all(Array.from({ length: MANY }, () => confirm(somebody, e164, code)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(MANY - 1).fill(422)])
    expect(await eventsOf(somebody)).toEqual([
      { type: 'phone_number.added', session_id: somebody.sessionId, details: { last_digits: e164.slice(-2) } },
    ])
    const [mail, ...more] = await sentTo(somebody.email)
    expect(mail).toMatchObject({ channel: 'email', subject: 'A phone number was added' })
    expect(mail?.text).toContain(e164)
    expect(more).toEqual([])
  })

  test('refuses what is no number, a reserved or a premium one', async () => {
    const somebody = await person()
    const wrongs = [
      'nonsense',
      '12133730000', // no plus sign
      '0049 1512 3456789',
      '+1 213 373 0000 ext. 12',
      '+1 555 010 0100', // reserved
      '+999 1234 5678',
      '+1 900 555 0100', // premium
      '+12133730000; drop',
    ]
    for (const e164 of wrongs) {
      const refused = await add(somebody, e164)
      expect(refusal(refused), e164).toEqual([400, 'invalid_request'])
      expect(refused.body.error.details.errors).toMatchObject([{ path: 'e164' }])
    }
    expect(await numbersOf(somebody)).toEqual([])
  })

  test('a person has at most five, also when ten come at once; each may still be asked for again', async () => {
    const somebody = await person()
    const numbers = Array.from({ length: 10 }, newNumber)
    const answers = await Promise.all(numbers.map((e164) => add(somebody, e164)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([...Array(5).fill(200), ...Array(5).fill(422)])
    expect(answers.find(({ status }) => status === 422)?.body.error).toMatchObject({
      type: 'unprocessable_entity',
      details: { reason: 'too_many_phone_numbers', limit: 5 },
    })
    const [one] = await numbersOf(somebody)
    expect((await add(somebody, one.e164)).status).toBe(200)
    await remove(somebody, one.e164)
    expect((await add(somebody, newNumber())).status).toBe(200)
  })

  test('two people can have the same number, each with a code of their own', async () => {
    const [one, other] = [await person(), await person()]
    const e164 = newNumber()
    const [codeOfOne, codeOfOther] = [await added(one, e164), await added(other, e164)]
    if (codeOfOne !== codeOfOther) expect((await confirm(other, e164, codeOfOne)).status).toBe(422)
    expect((await confirm(other, e164, codeOfOther)).status).toBe(200)
    expect((await confirm(one, e164, codeOfOne)).status).toBe(200)
  })
})

describe('the code', () => {
  test('five wrong ones end it, each counted, also at once; then not even the right one confirms, but a fresh one', async () => {
    const [somebody, e164] = [await person(), newNumber()]
    const code = await added(somebody, e164)
    const tries = await Promise.all(Array.from({ length: 5 }, () => confirm(somebody, e164, wrong(code))))
    expect(new Set(tries.map(({ status }) => status))).toEqual(new Set([422]))
    expect(tries.map(({ body }) => body.error.details.remaining_attempts).toSorted()).toEqual([0, 1, 2, 3, 4])
    expect((await confirm(somebody, e164, code)).status).toBe(422)
    expect(await numbersOf(somebody)).toEqual([{ confirmed: false, e164 }])
    expect((await confirm(somebody, e164, await added(somebody, e164))).status).toBe(200)
  })

  test('is void after ten minutes, after a fresh one, and for another number or person', async () => {
    const [somebody, other] = [await person(), await person()]
    const [e164, elsewhere] = [newNumber(), newNumber()]
    const [foreign, old] = [await added(somebody, elsewhere), await added(somebody, e164)]
    const code = await added(somebody, e164)
    const strangers = [confirm(other, e164, code)]
    if (old !== code) strangers.push(confirm(somebody, e164, old))
    if (foreign !== code) strangers.push(confirm(somebody, e164, foreign))
    for (const refused of await Promise.all(strangers)) expect(refused.body.error.type).toBe('code_invalid')
    await advance(10 * 60)
    const late = { token: somebody.token, body: { e164, code } }
    const answer = await withStepUp('POST', '/me/phone-numbers/confirm', late)
    expect(answer.body.error.type).toBe('code_invalid')
  })

  test('of a number that was removed is void, even when it is added again', async () => {
    const [somebody, e164] = [await person(), newNumber()]
    const code = await added(somebody, e164)
    await remove(somebody, e164)
    expect((await confirm(somebody, e164, code)).body.error.type).toBe('code_invalid')
  })
})

describe('messaging codes', () => {
  test.each([
    ['sign_up', '9 minutes'],
    ['totp', '9 minutes'],
    ['passkey', '9 minutes'],
    ['recovery_code', '9 minutes'],
  ] as const)('go to a number that is confirmed within ten minutes of a sign-in by %s', async (method, ago) => {
    const somebody = await signedInBy(await plain(), method)
    await owner`update sessions set signed_in_at = signed_in_at - ${ago}::interval where id = ${somebody.sessionId}`
    const e164 = await confirmed(somebody)
    expect(await codesGoTo(somebody)).toBe(e164)
  })

  test.each([
    ['password', '0 minutes'],
    ['device', '0 minutes'],
    ['totp_setup', '0 minutes'],
    ['trusted_device', '0 minutes'],
    ['totp', '11 minutes'],
  ] as const)(
    'never go to a number without a step-up after a sign-in by %s %s ago: none is confirmed',
    async (method, ago) => {
      const somebody = await signedInBy(await plain(), method)
      await owner`update sessions set signed_in_at = signed_in_at - ${ago}::interval where id = ${somebody.sessionId}`
      const e164 = newNumber()
      expect(refusal(await confirm(somebody, e164, await added(somebody, e164)))).toEqual([403, 'step_up_required'])
      expect(await codesGoTo(somebody)).toBe(somebody.email)
    },
  )

  test.each([
    ['that is over', `expires_at = business_now()`],
    ['that is denied', `status = 'denied'`],
    ['for one request only', `mode = 'once'`],
    ['of another session', `session_id = (select id from sessions where user_id <> step_ups.user_id limit 1)`],
  ])('do not where the step-up is one %s', async (_, change) => {
    const [somebody] = [await plain(), await plain()]
    await openWindow(somebody)
    await owner.unsafe(`update step_ups set ${change} where user_id = $1`, [somebody.userId])
    const e164 = newNumber()
    expect(refusal(await confirm(somebody, e164, await added(somebody, e164)))).toEqual([403, 'step_up_required'])
    expect(await codesGoTo(somebody)).toBe(somebody.email)
  })

  test('go there at once in a step-up window, stay with the older number, and go back to mail without one', async () => {
    const somebody = await plain()
    await openWindow(somebody)
    const older = await confirmed(somebody)
    expect(await codesGoTo(somebody)).toBe(older)
    const newer = await confirmed(somebody)
    expect(await codesGoTo(somebody)).toBe(older)
    await remove(somebody, older)
    expect(await codesGoTo(somebody)).toBe(newer)
    await remove(somebody, newer)
    expect(await codesGoTo(somebody)).toBe(somebody.email)
  })
})

describe('removing', () => {
  test('answers Me without it; the log, a mail, the other numbers and the number itself say so', async () => {
    const somebody = await person()
    const [gone, kept] = [await confirmed(somebody), await confirmed(somebody)]
    const answer = await remove(somebody, gone)
    expect([answer.status, answer.body.phone_numbers]).toEqual([200, [{ confirmed: true, e164: kept }]])
    expect((await eventsOf(somebody)).at(-1)).toEqual({
      type: 'phone_number.removed',
      session_id: somebody.sessionId,
      details: { last_digits: gone.slice(-2) },
    })
    for (const to of [somebody.email, gone, kept])
      expect((await sentTo(to))[0]).toMatchObject({ subject: 'A phone number was removed' })
    expect(refusal(await remove(somebody, gone))).toEqual([404, 'not_found'])
  })

  test('asks for a step-up by the number itself, however fresh the sign-in with the password is', async () => {
    const somebody = await plain()
    await openWindow(somebody)
    const e164 = await confirmed(somebody)
    await owner`update step_ups set status = 'expired' where user_id = ${somebody.userId}`
    await signedInBy(somebody, 'password')
    const asked = await remove(somebody, e164)
    expect(asked.body.error.step_up).toMatchObject({ methods: ['messaging_code'], delivery: 'message' })
    const proof = { method: 'messaging_code', code: await codeTo(e164) }
    const path = `/step-up/${asked.body.error.step_up.id}/complete`
    expect((await api('POST', path, { token: somebody.token, body: proof })).body.status).toBe('verified')
    expect((await remove(somebody, e164)).body.phone_numbers).toEqual([])
  })

  test('one that was never confirmed leaves no trace, and needs no proof', async () => {
    const somebody = await plain()
    const e164 = newNumber()
    await add(somebody, e164)
    expect((await remove(somebody, e164)).body.phone_numbers).toEqual([])
    expect([await eventsOf(somebody), await sentTo(somebody.email)]).toEqual([[], []])
  })
})
