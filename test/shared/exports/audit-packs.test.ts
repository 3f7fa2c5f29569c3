/** An audit pack of twelve payments: its script verifies it without us, and names each change. */
import { createHash, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { NOUNS, STATUSES_AFTER } from '../../../domain/exports/audit-pack.ts'
import { api, approve, createPayment, join, payerAndPayee, person } from '../../support/api.ts'
import { script } from '../../support/approvals/evidence.ts'
import { attach, attachmentsOf } from '../../support/attachments/attachments.ts'
import { typedBill } from '../../support/bills/bills.ts'
import { owner } from '../../support/database.ts'
import { requestExport } from '../../support/exports/exports.ts'
import { type Files, changed, extract, packOf, verifyPack } from '../../support/exports/packs.ts'
import { refusal } from '../../support/http/refusals.ts'
import { passkey } from '../../support/identity/passkeys.ts'
import { softwareAuthenticator } from '../../support/identity/software-authenticator.ts'
import { useWorker } from '../../support/worker.ts'

useWorker()

const { boss, payer, contactId } = await payerAndPayee('1000.00')
const [approver, member] = [await person(), await person()]
const authenticator = softwareAuthenticator()
await join(payer.id, approver, 'admin')
await join(payer.id, member, 'member')
await passkey(approver, authenticator)

/** Approves by a passkey, which signs for exactly this. */
async function approveByPasskey(payment: { approval_request_id: string }): Promise<void> {
  const path = `/organizations/${payer.id}/approvals/${payment.approval_request_id}/approve`
  const ask = () => api('POST', path, { token: approver.token, body: {}, key: payment.approval_request_id })
  const { id, webauthn } = (await ask()).body.error.step_up
  const credential = authenticator.assert(webauthn)
  const body = { method: 'webauthn', challenge_id: webauthn.challenge_id, credential }
  await api('POST', `/step-up/${id}/complete`, { token: approver.token, body })
  expect((await ask()).status).toBe(200)
}

for (let payment = 1; payment <= 12; payment += 1) {
  const made = await createPayment(boss, contactId, `${payment}.50`)
  if (payment === 1) await attach(boss, attachmentsOf(payer.id, `payments/${made.id}`))
  if (payment <= 8) await (payment % 2 ? approveByPasskey(made) : approve(boss, made))
}
await typedBill(boss, payer.id)

let folder = ''
beforeAll(async () => {
  folder = await extract(await packOf(boss, payer.id, { sample: { size: 12, seed: 'blue moon' } }))
})

test('the script verifies a pack offline, and says what it counted', async () => {
  const { code, said } = await verifyPack(folder)
  expect(said).toContain('The pack holds.')
  expect(code).toBe(0)
  for (const line of [
    'payments: 12 in the list, 12 drawn',
    'bills: 1 in the list, 1 drawn',
    'approvals: 12 in the list',
  ])
    expect(said).toContain(line)
  expect(said).toContain('12 approvals with 8 proofs: 4 signed by passkeys, 4 of them for exactly this')
  expect(said).toContain('8 signed approvals, 2 papers, 0 purged')
})

test('the script knows the statuses of the flows, and the statements of the evidence, word for word', () => {
  const source = readFileSync('documents/audit-pack/verify.mjs', 'utf8')
  const [, literal = ''] = /const STATUSES = (\{.*?\n\})/s.exec(source) ?? []
  expect(Object.fromEntries([...literal.matchAll(/'([\w.]+)': '(\w+)'/g)].map(([, type, to]) => [type, to]))).toEqual(
    STATUSES_AFTER,
  )
  expect(/const NOUNS = (.*)/.exec(source)?.[1]).toBe(`[${NOUNS.map((noun) => `'${noun}'`).join(', ')}]`)
  const plain = (text: string) => text.replaceAll(/[\s,;()]+/g, '')
  const statements = script.slice(script.indexOf('assert(sha256(subject_body)'))
  expect(plain(source)).toContain(plain(statements))
  expect([...source.matchAll(/from '([^']+)'/g)].every(([, name = '']) => name.startsWith('node:'))).toBe(true)
})

const first = (pack: Files, path: string) => `${path}/${pack.list(path)[0]}`
const paid = (pack: Files) => pack.list('evidence').find((name) => /"webauthn"/.test(pack.text(`evidence/${name}`)))
const evidence = (pack: Files, change: (bundle: any) => void) => pack.edit(`evidence/${paid(pack)}`, change)
const chain = 'chain/000001.jsonl'
const list = 'population/payments.jsonl'

/** Changes by a person without the signing key: the manifest does not fit any more. */
const BY_OTHERS: Record<string, [change: (pack: Files) => void, named: RegExp]> = {
  'a payment removed': [
    (pack) => pack.lines(list, (lines) => lines.splice(3, 1)),
    /^population\/payments.jsonl: its hash/m,
  ],
  'a file swapped': [
    (pack) => pack.write(first(pack, 'papers'), 'another'),
    /^papers\/\S+: it is not the file of payment \S+: its hash differs/m,
  ],
  'a file removed': [
    (pack) => pack.edit('manifest.json', (all) => all.files.shift()),
    /^chain\/000001.jsonl: it is not in/m,
  ],
  'a file added': [(pack) => pack.write('papers/more.pdf', ''), /^papers\/more.pdf: it is not in the manifest/m],
  'another seed': [
    (pack) => pack.edit('manifest.json', (all) => (all.sample.seed = 'red')),
    /^manifest.json: it is not what was/m,
  ],
  'another signature': [
    (pack) => pack.edit('signature.json', (all) => (all.signature = Buffer.alloc(64).toString('base64'))),
    /^signature.json: it is no signature/m,
  ],
  'another key': [
    (pack) => {
      const { publicKey, privateKey } = generateKeyPairSync('ed25519')
      const pem = publicKey.export({ type: 'spki', format: 'pem' })
      pack.edit('keys.json', (keys) => (keys[0].public_key = pem))
      pack.edit('signature.json', (all) => {
        all.signature = sign(null, Buffer.from(all.statement), privateKey).toString('base64')
      })
    },
    /^heads.json: head \d+: it is no signature/m,
  ],
}

test.each(Object.entries(BY_OTHERS))('%s does not pass, and is named', async (_, [change, named]) => {
  const { code, said } = await verifyPack(changed(folder, change))
  expect(said).toMatch(named)
  expect([code, said.includes('The pack holds.')]).toEqual([1, false])
})

const passkeyStep = (bundle: any) => bundle.decisions.find(({ factor }: any) => factor === 'webauthn').step_up
const edited = (line: string, from: string | RegExp, to: string): string => {
  const after = line.replace(from, to)
  if (after === line) throw new Error('nothing was changed')
  return after
}

/** Changes that are signed again by our own key: what is in the pack contradicts itself. */
const BY_US: Record<string, [change: (pack: Files) => void, named: RegExp]> = {
  'a payment left out': [
    (pack) => pack.lines(list, (lines) => lines.splice(3, 1)),
    /payment.created of (\S+): payment \1 is in the log, and not in population\/payments.jsonl/,
  ],
  'a payment added': [
    (pack) => pack.lines(list, (lines) => lines.push(lines[0]?.replace(/"id":"./, '"id":"f') ?? '')),
    /^population\/payments.jsonl line 13: payment \S+ is not in the log of the period/m,
  ],
  'a payment twice': [
    (pack) => pack.lines(list, (lines) => lines.push(lines[0] ?? '')),
    /payment \S+ is in the list twice/,
  ],
  'another amount': [
    (pack) =>
      pack.lines(
        list,
        (lines) => (lines[0] = edited(lines[0] ?? '', '"deducting_amount":"1.50"', '"deducting_amount":"9.50"')),
      ),
    /line 1: payment \S+ is not as the log has it: its amounts differ/,
  ],
  'another status': [
    (pack) => pack.lines(list, (lines) => (lines[0] = edited(lines[0] ?? '', /"status":"\w+"/, '"status":"failed"'))),
    /line 1: payment \S+ is failed here, and succeeded by the log/,
  ],
  'another cell of the table': [
    (pack) => pack.lines('population/payments.csv', (lines) => (lines[2] = edited(lines[2] ?? '', 'svc_id', 'fiat'))),
    /^population\/payments.csv line 3: it is not the same as in payments.jsonl/m,
  ],
  'a sample of another seed': [
    (pack) => pack.edit('manifest.json', (all) => (all.sample = { ...all.sample, seed: 'red', size: 5 })),
    /^sample\/payments: these are not the items that the seed draws/m,
  ],
  'an item that was not drawn': [
    (pack) => pack.write('sample/payments/0.json', '{}'),
    /^sample\/payments: the files are not those/m,
  ],
  'an event edited': [
    (pack) => pack.lines(chain, (lines) => (lines[9] = edited(lines[9] ?? '', '"kind":"domain"', '"kind":"other"'))),
    /^chain\/000001.jsonl line 10: event 10, \S+ of \S+: its hash is not of it/m,
  ],
  'an event removed': [
    (pack) => pack.lines(chain, (lines) => lines.splice(9, 1)),
    /event 11, .*: what lies between 9 and it is missing/,
  ],
  'the end of the log cut off': [
    (pack) => pack.lines(chain, (lines) => lines.pop()),
    /^chain: it ends at \d+, not at the closing head/m,
  ],
  'another head': [
    (pack) => pack.edit('heads.json', (heads) => (heads[0].hash = '0'.repeat(64))),
    /^heads.json: head \d+: another head was signed/m,
  ],
  'a policy edited': [
    (pack) => evidence(pack, (bundle) => (bundle.policy.self_approval = !bundle.policy.self_approval)),
    /^evidence\/\S+.json: not so: it was asked for and ended as logged/m,
  ],
  'an event of an approval left out': [
    (pack) => evidence(pack, (bundle) => bundle.events.splice(1, 1)),
    /^evidence\/\S+.json: event \d+, approval\.\w+, is missing/m,
  ],
  'the signature of a passkey': [
    (pack) => evidence(pack, (bundle) => (passkeyStep(bundle).assertion.signature = 'AAAA')),
    /decision \S+: the passkey did not sign it/,
  ],
  'a proof for something else': [
    (pack) => evidence(pack, (bundle) => (passkeyStep(bundle).assertion.nonce = 'another')),
    /decision \S+: the passkey signed for something else/,
  ],
  'the signed approval of another request': [
    (pack) => {
      const [one = '', other = ''] = pack.list('evidence').filter((name) => name.endsWith('.jwt'))
      pack.write(`evidence/${one}`, pack.text(`evidence/${other}`))
    },
    /^evidence\/\S+.jwt: another approval was signed/m,
  ],
  'a leg of the ledger left out': [
    (pack) => {
      for (const name of pack.list('sample/payments'))
        pack.edit(`sample/payments/${name}`, (item) => item.ledger.shift())
    },
    /^sample\/payments\/\S+: the ledger does not have what a payment that is succeeded takes/m,
  ],
  'a paper left out': [
    (pack) => {
      for (const name of pack.list('sample/approvals'))
        pack.edit(`sample/approvals/${name}`, (item) => (item.papers = []))
    },
    /file \S+, which approvers saw, is not among its papers/,
  ],
}

test.each(Object.entries(BY_US))(
  '%s does not pass, though it is signed again, and is named',
  async (_, [change, named]) => {
    const { code, said } = await verifyPack(changed(folder, change, { sealed: true }))
    expect(said).toMatch(named)
    expect([code, said.includes('The pack holds.')]).toEqual([1, false])
  },
)

test('what the auditor has from elsewhere has to fit: key, head and seed', async () => {
  const { data: keys } = (await api('GET', '/meta/event-log-keys', { token: boss.token })).body
  const { data: heads } = (await api('GET', `/organizations/${payer.id}/events/heads`, { token: boss.token })).body
  const der = createPublicKey(keys[0].public_key).export({ type: 'spki', format: 'der' })
  const key = createHash('sha256').update(der).digest('hex')
  const head = `${heads.at(-1).seq}:${heads.at(-1).hash}`
  expect(await verifyPack(folder, '--key', key, '--head', head, '--seed', 'blue moon')).toMatchObject({ code: 0 })
  const wrong = ['--key', '0'.repeat(64), '--head', `${heads.at(-1).seq}:${'0'.repeat(64)}`, '--seed', 'red']
  const { code, said } = await verifyPack(folder, ...wrong)
  expect(code).toBe(1)
  for (const fault of ['another key than the one you named', 'your head is not in it', 'another seed than yours'])
    expect(said).toContain(fault)
})

test('a pack is for those who may see all of it, names its sample, and is nothing but a zip', async () => {
  const order = { type: 'audit_pack', sample: { size: 1, seed: 'a' } }
  const ask = (by: typeof boss, more: object = {}) => requestExport(by, payer.id, { ...order, ...more })
  expect(refusal(await ask(member))).toEqual([403, 'forbidden'])
  expect(refusal(await ask(boss, { format: 'csv' }))).toEqual([422, 'format_not_supported'])
  expect(refusal(await ask(boss, { currency: 'USD' }))).toEqual([422, 'format_not_supported'])
  expect(refusal(await ask(boss, { type: 'transactions', format: 'zip', sample: undefined }))).toEqual([
    422,
    'format_not_supported',
  ])
  for (const more of [
    { sample: undefined },
    { type: 'transactions', format: 'csv' },
    { type: 'transactions', sample: undefined },
    { sample: { size: 301, seed: 'a' } },
    { sample: { size: 1, seed: '\u0000' } },
  ])
    expect(refusal(await ask(boss, more))).toEqual([400, 'invalid_request'])
})

test('a file that was purged is named with its hash, and the pack says so', async () => {
  await owner`delete from files where organization_id = ${payer.id} and purpose = 'attachment'`
  const { code, said } = await verifyPack(
    await extract(await packOf(boss, payer.id, { sample: { size: 12, seed: 'a' } })),
  )
  expect(said).toContain(' 0 papers, 2 purged before')
  expect(code).toBe(0)
})
