#!/usr/bin/env node
// Verifies an audit pack without a network: node verify.mjs <folder> [--key fingerprint] [--head place:hash] [--seed seed]
import { createHash, createHmac, createPublicKey, verify as isSignature } from 'node:crypto'
import { createReadStream, lstatSync, openSync, readFileSync, readSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs, isDeepStrictEqual } from 'node:util'

const NOUNS = ['payment', 'bill', 'invoice', 'approval']
const FIRST = {
  payment: 'payment.created',
  bill: 'bill.created',
  invoice: 'invoice.created',
  approval: 'approval.requested',
}
// the status after an event; of several, the last one counts
const STATUSES = {
  'payment.scheduled': 'submitted',
  'payment.unscheduled': 'cancelled',
  'payment.submitted': 'submitted',
  'payment.cancelled': 'cancelled',
  'payment.accepted': 'processing',
  'payment.held': 'on_hold',
  'payment.fell_back': 'submitted',
  'payment.released': 'processing',
  'payment.cancel_requested': 'cancelling',
  'payment.broadcast': 'processing',
  'payment.failed': 'failed',
  'payment.settled': 'succeeded',
  'payment.reversed': 'reversed',
  'bill.extracted': 'extracted',
  'bill.extraction_failed': 'extracted',
  'bill.extraction_requested': 'extracting',
  'bill.payment_requested': 'payment_requested',
  'bill.payment_ended': 'extracted',
  'bill.cancelled': 'cancelled',
  'invoice.submitted': 'awaiting_approval',
  'invoice.refused': 'draft',
  'invoice.sent': 'sent',
  'invoice.finalized': 'finalized',
  'invoice.paid': 'paid',
  'invoice.reopened': 'sent',
  'invoice.deleted': 'deleted',
  'approval.approved': 'approved',
  'approval.rejected': 'rejected',
  'approval.cancelled': 'cancelled',
  'approval.expired': 'cancelled',
}
const MONEY_BY_STATUS = {
  // what of a payment is gone from the balance: nothing, all, or a part of it
  awaiting_approval: 0,
  submitted: 0,
  processing: 0,
  on_hold: 0,
  cancelling: 0,
  failed: 0,
  cancelled: 0,
  succeeded: 1,
}

const {
  values: given,
  positionals: [folder = '.'],
} = parseArgs({
  allowPositionals: true,
  options: { key: { type: 'string' }, head: { type: 'string' }, seed: { type: 'string' } },
})
const faults = []
const fault = (where, what) => {
  faults.push(`${where}: ${what}`)
  return false
}
const check = (holds, where, what) => holds || fault(where, what)
const say = (...words) => console.log(words.join(' '))
const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest('hex')
const base64url = (bytes) => Buffer.from(bytes).toString('base64url')
const canonical = (value) =>
  Array.isArray(value)
    ? `[${value.map(canonical).join(',')}]`
    : value && typeof value === 'object'
      ? `{${Object.keys(value)
          .filter((name) => value[name] !== undefined)
          .sort()
          .map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`)
          .join(',')}}`
      : JSON.stringify(value)
const instant = (text) => {
  const [day, rest = ''] = text.slice(0, -1).split('.')
  return `${day}.${rest.padEnd(6, '0')}`
}
const minor = (text) => {
  // an amount with up to 30 decimals, as a whole number
  const [, sign, whole, rest = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)
  return BigInt(sign + whole + rest.padEnd(30, '0'))
}
function attempt(where, work) {
  try {
    return work()
  } catch (error) {
    fault(where, `cannot be read (${error.message})`)
  }
}
const files = new Map() // the files that are there and as the manifest says: nothing else is opened
const text = (path) => {
  if (!files.has(path)) throw new Error('it is missing, or not as the manifest says')
  return readFileSync(join(folder, path), 'utf8')
}
const read = (path) => attempt(path, () => JSON.parse(text(path)))
async function* byteLines(path) {
  // at line feeds alone: other separators may stand inside of texts
  if (!files.has(path)) return
  let rest = Buffer.alloc(0)
  for await (const piece of createReadStream(join(folder, path))) {
    const bytes = rest.length ? Buffer.concat([rest, piece]) : piece
    let begin = 0
    for (let end; (end = bytes.indexOf(10, begin)) >= 0; begin = end + 1) yield bytes.subarray(begin, end)
    rest = bytes.subarray(begin)
  }
  if (rest.length) fault(path, 'its last line does not end')
}
async function* lines(path) {
  for await (const line of byteLines(path)) yield line.toString()
}
// a line that was read before, by its place: rows of long lists are not kept
const opened = new Map()
function lineAt(path, { at, size }) {
  if (!opened.has(path)) opened.set(path, openSync(join(folder, path)))
  const bytes = Buffer.alloc(size)
  readSync(opened.get(path), bytes, 0, size, at)
  return bytes.toString()
}

// 1. the manifest is what the key signed, and each file is what the manifest says
const raw = Object.fromEntries(
  ['manifest.json', 'signature.json', 'keys.json'].map((name) => [
    name,
    attempt(name, () => readFileSync(join(folder, name))),
  ]),
)
const [manifest, signature, keys] = Object.entries(raw).map(([name, bytes]) => attempt(name, () => JSON.parse(bytes)))
if (!manifest || !signature || !keys) end()
const keyOf = (id) => {
  const found = keys.find((key) => key.id === id)
  return found && createPublicKey(found.public_key)
}
const fingerprint = (key) => sha256(key.export({ type: 'spki', format: 'der' }))
const isSigned = ({ key_id: id, statement, signature: bytes }) =>
  Boolean(
    keyOf(id) &&
    JSON.parse(statement).key_id === id &&
    isSignature(null, Buffer.from(statement), keyOf(id), Buffer.from(bytes, 'base64')),
  )
const { organization, period, opening, cut, closing, counts, sample } = manifest
attempt('signature.json', () => {
  const signed = JSON.parse(signature.statement)
  check(isSigned(signature), 'signature.json', 'it is no signature by a key of keys.json')
  check(signed.audit_pack === sha256(raw['manifest.json']), 'manifest.json', 'it is not what was signed')
  check(signed.organization_id === organization.id, 'manifest.json', 'another organization was signed')
  const print = fingerprint(keyOf(signature.key_id))
  say(`Audit pack of ${organization.name} (${organization.id}), ${period.from} to ${period.to}`)
  say(
    `signed by key ${signature.key_id}, SHA-256 ${print}${given.key ? '' : ' (compare it: GET /meta/event-log-keys)'}`,
  )
  if (given.key)
    check(given.key.toLowerCase() === print, 'keys.json', 'it is signed by another key than the one you named')
})
function* walk(path = '') {
  for (const name of readdirSync(join(folder, path)).sort()) {
    const one = path ? `${path}/${name}` : name
    const kind = lstatSync(join(folder, one))
    if (kind.isDirectory()) yield* walk(one)
    else if (!kind.isFile()) fault(one, 'it is no file')
    else yield one
  }
}
async function hashFiles() {
  const listed = new Map(manifest.files.map((file) => [file.path, file]))
  const there = new Set([...walk()].filter((path) => !['manifest.json', 'signature.json'].includes(path)))
  for (const path of there) if (!listed.has(path)) fault(path, 'it is not in the manifest')
  for (const [path, { sha256: expected }] of listed) {
    if (!check(there.has(path), path, 'it is missing')) continue
    const hash = createHash('sha256')
    for await (const piece of createReadStream(join(folder, path))) hash.update(piece)
    const found = hash.digest('hex')
    if (check(found === expected, path, 'its hash is not that of the manifest')) files.set(path, found)
    else if (!path.startsWith('papers/')) files.set(path, found) // what follows says what in it was changed
  }
  say(`${listed.size} files`)
}

// 2. the lists, and the sample that the seed draws from them
const population = new Map(NOUNS.map((noun) => [noun, new Map()])) // id → place in the list, and what the log says
const listOf = (noun) => `population/${noun}s.jsonl`
const placeOf = (noun, { line }) => `${listOf(noun)} line ${line}`
const rowOf = (noun, entry) => JSON.parse(lineAt(listOf(noun), entry))
async function readLists() {
  for (const noun of NOUNS) {
    const [of, list] = [`population/${noun}s`, population.get(noun)]
    let [count, at, drawing] = [0, 0, []]
    const rank = (id) =>
      createHmac('sha256', given.seed ?? sample.seed)
        .update(`${noun}:${id}`)
        .digest('hex')
    const drawFirst = () => drawing.sort(([a], [b]) => (a < b ? -1 : 1)).slice(0, sample.size)
    const table = lines(`${of}.csv`)
    const columns = ((await table.next()).value ?? '').replace(/^\ufeff|\r$/g, '').split(',')
    for await (const line of byteLines(`${of}.jsonl`)) {
      const place = { line: count + 1, at, size: line.length }
      const where = `${of}.jsonl line ${count + 1}`
      at += line.length + 1
      const row = attempt(where, () => JSON.parse(line))
      if (!row) continue
      count += 1
      drawing.push([rank(row.id), row.id])
      if (drawing.length > sample.size + 1000) drawing = drawFirst()
      check(!list.has(row.id), where, `${noun} ${row.id} is in the list twice`)
      const cells = splitCells(((await table.next()).value ?? '').replace(/\r$/, ''))
      check(
        isDeepStrictEqual(
          cells,
          columns.map((name) => plain(row[name] ?? '')),
        ),
        `${of}.csv line ${count + 1}`,
        `it is not the same as in ${noun}s.jsonl`,
      )
      list.set(row.id, {
        ...place,
        seen: false,
        status: '',
        moved: '',
        wasFinalized: false,
        hashFits: false,
        sent: null,
      })
    }
    check((await table.next()).done, `${of}.csv`, 'it has more rows than the other list')
    check(count === (counts[noun] ?? 0), `${of}.jsonl`, `it has ${count} rows, not ${counts[noun] ?? 0}`)
    const drawn = drawFirst().map(([, id]) => id)
    check(
      isDeepStrictEqual(drawn, sample.drawn[noun] ?? []),
      `sample/${noun}s`,
      'these are not the items that the seed draws',
    )
    const there = [...files.keys()].filter((path) => path.startsWith(`sample/${noun}s/`)).sort()
    check(
      isDeepStrictEqual(there, drawn.map((id) => `sample/${noun}s/${id}.json`).sort()),
      `sample/${noun}s`,
      'the files are not those of the items that the seed draws',
    )
    say(`${noun}s: ${count} in the list, ${drawn.length} drawn`)
  }
  if (given.seed) check(given.seed === sample.seed, 'manifest.json', 'it was drawn by another seed than yours')
}
const plain = (value) => String(value).replaceAll("'", '') // the apostrophe keeps spreadsheets from running a cell
const splitCells = (line) =>
  [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, bare]) =>
    plain(quoted?.replaceAll('""', '"') ?? bare),
  )

// 3. the items: papers, money, events; and the approvals behind them
const places = new Map() // place in the log → hashes that files of the pack state for it
const approvals = new Set() // approvals behind items
const complete = new Map() // subject → file that has all of its events up to its last one
const tally = {
  proofs: 0,
  passkeys: 0,
  bound: 0,
  papers: 0,
  purged: 0,
  calls: 0,
  credentials: 0,
  checks: 0,
  earlier: 0,
}
function noteEvents(where, events, subject) {
  events.forEach((event, i) => {
    check(
      sha256(Buffer.from(event.previous_hash, 'hex'), event.canonical) === event.hash,
      where,
      `event ${event.seq} is not what its hash says`,
    )
    check(event.seq <= closing.seq, where, `event ${event.seq} is behind the closing head`)
    if (event.seq <= (opening?.seq ?? 0)) tally.earlier += 1
    if (i > 0) check(event.seq > events[i - 1].seq, where, 'its events are not in their order')
    places.set(event.seq, [...(places.get(event.seq) ?? []), { where, hash: event.hash }])
  })
  const own = events.filter((event) => JSON.parse(event.canonical).subject_id === subject).map(({ seq }) => seq)
  complete.set(subject, [...(complete.get(subject) ?? []), { where, seqs: new Set(own), last: Math.max(0, ...own) }])
}
function firstStatus(noun, payload) {
  if (noun === 'payment') return payload?.payment_batch_id ? 'submitted' : 'awaiting_approval'
  if (noun === 'bill') return payload?.file_id === undefined ? 'extracted' : 'extracting'
  return noun === 'invoice' ? 'draft' : 'pending'
}
function move(entry, type) {
  // one that is reopened is as it was before it was paid
  if (type === 'invoice.finalized') entry.wasFinalized = true
  entry.moved = type === 'invoice.reopened' ? (entry.wasFinalized ? 'finalized' : 'sent') : STATUSES[type]
}
function verifyItem(noun, id) {
  const where = `sample/${noun}s/${id}.json`
  const item = read(where)
  if (!item) return
  check(item.noun === noun && item.id === id, where, 'it is of another item')
  noteEvents(where, item.events, id)
  const log = item.events.map(({ canonical: own }) => JSON.parse(own))
  for (const paper of item.papers) {
    const name = `${where}: paper ${paper.file_id}`
    tally[paper.state === 'purged' ? 'purged' : 'papers'] += 1
    if (paper.state === 'purged') continue
    if (check(paper.state === 'here', name, 'the store has lost it'))
      check(files.get(paper.path) === paper.sha256, paper.path, `it is not the file of ${noun} ${id}: its hash differs`)
  }
  const first = log.find(({ event_type: type }) => type === FIRST[noun])?.payload
  const written = log.findLast(({ event_type: type }) => type === 'invoice.written')?.payload
  for (const expected of [first?.sha256, written?.pdf?.sha256, written?.xml?.sha256].filter(Boolean))
    check(
      item.papers.some((paper) => paper.sha256 === expected),
      where,
      `the file that the log names is not among its papers`,
    )
  if (noun === 'payment' && !log.some(({ event_type: type }) => type === 'payment.adjusted'))
    verifyMoney(where, item, log, first)
  if (item.approval_id) approvals.add(item.approval_id)
  const entry = population.get(noun).get(id)
  const row = entry && rowOf(noun, entry)
  if (row && row.approval_id !== undefined)
    check(row.approval_id === item.approval_id, where, 'the list names another approval')
  if (item.approval_id) verifyPapers(where, item, row)
}
function verifyPapers(where, item, row) {
  const evidence = read(`evidence/${item.approval_id}.json`)
  const targets = [item.id, ...item.payment_ids, row?.payment_batch_id]
  if (evidence && item.noun === 'payment')
    check(targets.includes(evidence.approval.target_id), where, 'its approval is of something else')
  for (const { file_id: id, sha256: expected } of evidence ? (JSON.parse(evidence.subject_body).attachments ?? []) : [])
    check(
      evidence.approval.action_type === 'billing_invoice' ||
        item.papers.some((paper) => paper.file_id === id && paper.sha256 === expected),
      where,
      `file ${id}, which approvers saw, is not among its papers`,
    )
}
function verifyMoney(where, { ledger }, log, first) {
  const paid = { moved: '', wasFinalized: false }
  for (const { event_type: type } of log) if (type in STATUSES) move(paid, type)
  const status = paid.moved || firstStatus('payment', first)
  const sum = ledger.reduce((all, { amount }) => all + minor(amount), 0n)
  const whole = minor(first.deducting.amount)
  check(
    ledger.every(({ currency }) => currency === first.deducting.currency),
    where,
    'the ledger has another currency',
  )
  check(
    status in MONEY_BY_STATUS ? sum === -whole * BigInt(MONEY_BY_STATUS[status]) : sum <= 0n && sum >= -whole,
    where,
    `the ledger does not have what a payment that is ${status} takes`,
  )
}
function verifyApproval(id) {
  const where = `evidence/${id}.json`
  const bundle = read(where)
  if (!bundle) return
  check(bundle.approval.approval_id === id, where, 'it is of another approval')
  noteEvents(where, bundle.events, id)
  attempt(where, () => verifyBundle(bundle, (holds, claim) => check(holds, where, `not so: ${claim}`)))
  for (const decision of bundle.decisions) if (decision.step_up) verifyProof(where, decision)
  if (bundle.approval.status === 'approved')
    attempt(`evidence/${id}.jwt`, () => verifyCredential(`evidence/${id}.jwt`, bundle))
  tally.calls += bundle.call_backs.length
  const [shown, said] = [
    JSON.parse(bundle.subject_body).payee_check,
    bundle.approval.subject.fiat_outgoing?.payee_check,
  ]
  if (!shown || !said) return
  tally.checks += 1
  const { result, checked_at, holder, name, reason } = said
  check(
    shown.sha256 === sha256(canonical({ id: said.id, result, checked_at, holder, name, reason })),
    where,
    'what the bank said of the payee is not what approvers saw',
  )
}
function verifyCredential(where, { approval, subject_hash: hash, policy, decisions }) {
  const [header, claims, bytes] = text(where).trim().split('.')
  const { alg, kid, typ } = JSON.parse(Buffer.from(header, 'base64url'))
  const isRight =
    alg === 'EdDSA' &&
    typ === 'approval+jwt' &&
    keyOf(kid) &&
    isSignature(null, Buffer.from(`${header}.${claims}`), keyOf(kid), Buffer.from(bytes, 'base64url'))
  if (!check(isRight, where, 'it is no signature by a key of keys.json')) return
  const said = JSON.parse(Buffer.from(claims, 'base64url'))
  const people = decisions.filter((d) => d.decision === 'approve' && !d.voided).map((d) => d.actor.id)
  check(
    isDeepStrictEqual(
      [
        said.sub,
        said.organization_id,
        said.subject_sha256,
        said.policy_sha256,
        said.approvals.map(({ person }) => person),
      ],
      [`urn:uuid:${approval.approval_id}`, organization.id, hash, sha256(canonical(policy)), people],
    ),
    where,
    'another approval was signed',
  )
  tally.credentials += 1
}
// the statements of docs/evidence.md, word for word
function verifyBundle({ approval, subject_body, subject_hash, policy, decisions, events }, assert) {
  const log = events.map((e) => JSON.parse(e.canonical)).map((e) => ({ ...e, type: e.event_type })),
    body = JSON.parse(subject_body),
    id = approval.approval_id,
    own = log.filter((e) => e.subject_id === id),
    changes = own.filter((e) => e.type === 'approval.subject_changed').map((e) => e.payload),
    hashes = [...changes.map(({ before }) => before), subject_hash], // the last is that of the files of now
    hashOf = (d) => own.find((e) => e.cause === `decision:${d.decision_id}`)?.payload?.subject_hash,
    given = decisions.filter((d) => d.decision === 'approve' && !d.voided),
    peopleOf = (d) => [d.actor, d.on_behalf_of].flatMap((person) => person?.id ?? [])

  assert(
    sha256(subject_body) === subject_hash &&
      body.target_id === approval.target_id &&
      ((body.landing ?? body).amount ?? null) === (approval.subject[approval.target_type].amount ?? null),
    'the body is what was hashed',
  )
  assert(
    events.every(
      (e, i) =>
        sha256(Buffer.from(e.previous_hash, 'hex'), e.canonical) === e.hash &&
        ['id', 'seq', 'type', 'subject_id', 'actor_user_id', 'causation_id', 'cause'].every(
          (name) => e[name] === log[i][name],
        ) &&
        (i === 0 || e.seq > events[i - 1].seq + 1 || e.previous_hash === events[i - 1].hash),
    ),
    'the events are in the chain',
  )
  assert(
    own.some(
      (e) =>
        e.type === 'approval.requested' &&
        e.actor_user_id === approval.requester.id &&
        isDeepStrictEqual(e.payload, { subject_hash: hashes[0], policy }),
    ) &&
      changes.every((change, i) => change.subject_hash === hashes[i + 1]) &&
      approval.status ===
        (own
          .map((e) => /^approval\.(approved|rejected|cancelled|expired)$/.exec(e.type)?.[1])
          .find(Boolean)
          ?.replace('expired', 'cancelled') ?? 'pending'),
    'it was asked for and ended as logged',
  )
  assert(
    own.filter((e) => e.cause.startsWith('decision:')).length === decisions.length &&
      decisions.every(
        (d) =>
          own.some(
            (e) =>
              e.cause === `decision:${d.decision_id}` &&
              e.actor_user_id === (d.actor?.id ?? null) &&
              e.type.startsWith(`approval.${d.decision.slice(0, 5)}`) && // approved, approval_given, rejected, cancelled, expired
              (d.decision !== 'approve' ||
                (isDeepStrictEqual(
                  [d.role, d.factor, d.step],
                  ['role', 'factor', 'step'].map((name) => e.payload[name]),
                ) &&
                  (d.voided ? hashes : [subject_hash]).includes(e.payload.subject_hash))) &&
              (d.on_behalf_of?.id ?? null) === (e.payload?.on_behalf_of ?? null) &&
              Math.abs(Date.parse(e.occurred_at) - Date.parse(d.occurred_at)) < 60_000,
          ) && own.some((e) => e.cause === `void:${d.decision_id}`) === (d.voided !== null),
      ),
    'each decision is as logged',
  )
  assert(
    decisions.every(
      (d, _, all, at = d.occurred_at, s = d.step_up, target = `approval:${id}:${hashOf(d)}`) =>
        d.decision !== 'approve' ||
        (s.factor === d.factor &&
          s.consumed_at &&
          Date.parse(s.verified_at) <= Date.parse(at) &&
          (s.target === target ||
            (s.set.used_at &&
              s.set.targets.includes(target) &&
              s.target === `approvals:${sha256(s.set.targets.sort().join('\n'))}`))),
    ),
    'each proof is for exactly this',
  )
  assert(
    decisions.every(
      ({ actor, on_behalf_of: principal, occurred_at: at }) =>
        !principal ||
        log.some(
          (e) =>
            e.type === 'substitution.created' &&
            e.subject_id === principal.substitution_id &&
            e.payload.user_id === principal.id &&
            e.payload.substitute_id === actor.id &&
            Date.parse(e.payload.from) <= Date.parse(at) &&
            Date.parse(at) < Date.parse(e.payload.until) &&
            !log.some(
              (end) =>
                end.type === 'substitution.ended' &&
                end.subject_id === e.subject_id &&
                Date.parse(end.occurred_at) < Date.parse(at),
            ),
        ),
    ),
    'each substitute was one then',
  )
  assert(
    approval.status !== 'approved' ||
      (new Set(given.flatMap(peopleOf)).size === given.flatMap(peopleOf).length &&
        given.every(
          (d) =>
            !peopleOf(d).includes(approval.requester.id) ||
            (policy.self_approval && d.actor.id !== (d.on_behalf_of && approval.requester.id)),
        ) &&
        given.every((d) => !peopleOf(d).some((id) => policy.barred?.includes(id))) &&
        policy.steps.every(
          ({ required, roles, user_ids: named }, step) =>
            given.filter(
              (d) => d.step === step && (roles.includes(d.role) || named.includes((d.on_behalf_of ?? d.actor).id)),
            ).length >= required,
        )),
    'different people met each step',
  )
}
function verifyProof(where, { decision_id: id, step_up: proof }) {
  const name = `${where}: decision ${id}`
  tally.proofs += 1
  if (proof.factor !== 'webauthn' || !proof.assertion || !proof.client_data) return
  attempt(name, () => {
    const { public_key, authenticator_data, signature: bytes, nonce } = proof.assertion
    const [client, authenticator] = [
      Buffer.from(proof.client_data, 'base64url'),
      Buffer.from(authenticator_data, 'base64url'),
    ]
    const { key, hash } = passkeyOf(Buffer.from(public_key, 'base64url'))
    const data = Buffer.concat([authenticator, createHash('sha256').update(client).digest()])
    const isRight = isSignature(hash, data, key, Buffer.from(bytes, 'base64url')) && (authenticator[32] & 5) === 5
    if (!check(isRight, name, 'the passkey did not sign it, with the person present and verified')) return
    tally.passkeys += 1
    if (nonce === null) return
    const challenge = base64url(createHash('sha256').update(`${proof.target}\n${nonce}`).digest())
    if (check(JSON.parse(client).challenge === challenge, name, 'the passkey signed for something else'))
      tally.bound += 1
  })
}
function passkeyOf(cose) {
  // a map of CBOR (RFC 8949) with small keys, as COSE (RFC 9052) has it
  let at = 0
  const next = () => {
    const [major, short] = [cose[at] >> 5, cose[at] & 31]
    const width = short < 24 ? 0 : 2 ** (short - 24)
    const value = width ? cose.readUIntBE(at + 1, width) : short
    at += 1 + width
    if (major === 0 || major === 1) return major ? -1 - value : value
    if (major === 2 || major === 3) return cose.subarray(at, (at += value))
    if (major === 5) return new Map(Array.from({ length: value }, () => [next(), next()]))
    throw new Error('a key of another form')
  }
  const map = next()
  const [x, y, modulus, exponent] = [-2, -3, -1, -2].map((label) => map.get(label))
  const jwk = {
    2: () => ({ kty: 'EC', crv: 'P-256', x: base64url(x), y: base64url(y) }),
    1: () => ({ kty: 'OKP', crv: 'Ed25519', x: base64url(x) }),
    3: () => ({ kty: 'RSA', n: base64url(modulus), e: base64url(exponent) }),
  }[map.get(1)]()
  return { key: createPublicKey({ key: jwk, format: 'jwk' }), hash: jwk.kty === 'OKP' ? null : 'sha256' }
}

// 4. the chain from the opening head to the closing one, and what it says of the lists
async function followChain(heads) {
  let [seq, hash] = [opening?.seq ?? 0, opening?.hash ?? '']
  const byPlace = new Map(heads.map((head) => [head.seq, head.hash]))
  for (const path of [...files.keys()].filter((name) => name.startsWith('chain/')).sort()) {
    let number = 0
    for await (const line of lines(path)) {
      number += 1
      const [, own, stated] = /^\{"event":(.*),"hash":"([0-9a-f]{64})"\}$/s.exec(line) ?? []
      const event = own && attempt(`${path} line ${number}`, () => JSON.parse(own))
      if (!check(event, `${path} line ${number}`, 'it is no event')) continue
      const where = `${path} line ${number}: event ${event.seq}, ${event.event_type} of ${event.subject_id}`
      check(
        event.seq === seq + 1,
        where,
        event.seq > seq ? `what lies between ${seq} and it is missing` : 'it is out of place',
      )
      check(sha256(Buffer.from(hash, 'hex'), own) === stated, where, 'its hash is not of it and of all before it')
      check(event.organization_id === organization.id, where, 'it is of another organization')
      ;[seq, hash] = [event.seq, stated]
      if (byPlace.has(seq)) check(byPlace.get(seq) === hash, where, 'the head that was signed here is another')
      for (const file of places.get(seq) ?? [])
        check(file.hash === hash, file.where, `event ${seq} is not as in the chain`)
      places.delete(seq)
      for (const file of complete.get(event.subject_id) ?? [])
        if (seq <= file.last) check(file.seqs.has(seq), file.where, `event ${seq}, ${event.event_type}, is missing`)
      if (given.head?.split(':')[0] === String(seq)) keptHead = given.head.split(':')[1].toLowerCase() === hash
      if (seq <= cut.seq) compareList(where, event)
    }
  }
  check(
    seq === closing.seq && hash === closing.hash,
    'chain',
    `it ends at ${seq}, not at the closing head ${closing.seq}`,
  )
  for (const [place, all] of places)
    for (const file of all) check(place <= (opening?.seq ?? 0), file.where, `event ${place} is not in the chain`)
  say(
    `log: events ${(opening?.seq ?? 0) + 1} to ${seq}, ${heads.length} signed heads; the lists are of event ${cut.seq}`,
  )
  if (given.head)
    check(keptHead ?? given.head === `${opening?.seq}:${opening?.hash}`, 'chain', 'your head is not in it')
}
let keptHead
const inPeriod = (at) => instant(at) >= instant(period.begins_at) && instant(at) < instant(period.ends_before)
function compareList(where, event) {
  const noun = event.event_type.split('.')[0]
  const entry = population.get(noun)?.get(event.subject_id)
  if (event.event_type === FIRST[noun] && inPeriod(event.occurred_at)) {
    if (!check(entry, where, `${noun} ${event.subject_id} is in the log, and not in population/${noun}s.jsonl`)) return
    const row = rowOf(noun, entry)
    const [payload, of] = [event.payload ?? {}, `${noun} ${row.id} is not as the log has it:`]
    Object.assign(entry, {
      seen: true,
      status: firstStatus(noun, payload),
      hashFits: payload.subject_hash === row.subject_hash,
    })
    check(
      row.seq === event.seq &&
        instant(row.created_at) === instant(event.occurred_at) &&
        row.created_by === event.actor_user_id,
      placeOf(noun, entry),
      `${of} its beginning differs`,
    )
    if (noun === 'payment')
      check(
        isDeepStrictEqual(
          [
            row.rail,
            row.deducting_amount,
            row.deducting_currency,
            row.landing_amount,
            row.landing_currency,
            row.fee_amount,
            row.rate,
            row.payment_batch_id,
          ],
          [
            payload.rail,
            payload.deducting.amount,
            payload.deducting.currency,
            payload.landing.amount,
            payload.landing.currency,
            payload.fee.amount,
            payload.rate,
            payload.payment_batch_id,
          ],
        ),
        placeOf(noun, entry),
        `${of} its amounts differ`,
      )
  }
  if (!entry) return
  if (event.event_type in STATUSES) move(entry, event.event_type)
  if (event.event_type === 'approval.subject_changed')
    entry.hashFits = event.payload.subject_hash === rowOf(noun, entry).subject_hash
  if (event.event_type === 'invoice.sent') entry.sent = event.payload
}
function compareLog() {
  for (const noun of NOUNS) for (const entry of population.get(noun).values()) compareRow(noun, entry)
}
function compareRow(noun, entry) {
  const [row, where] = [rowOf(noun, entry), placeOf(noun, entry)]
  if (!check(entry.seen, where, `${noun} ${row.id} is not in the log of the period`)) return
  check(row.stored, where, `${noun} ${row.id} is in the log, and the database has lost it`)
  const status = entry.moved || entry.status
  check(row.status === status, where, `${noun} ${row.id} is ${row.status} here, and ${status} by the log`)
  if (noun === 'approval' && row.stored) check(entry.hashFits, where, `approval ${row.id} has another subject`)
  if (entry.sent && row.status !== 'deleted')
    check(
      row.number === entry.sent.number && minor(row.total) === minor(entry.sent.total),
      where,
      `invoice ${row.id} has another number or total than was sent`,
    )
}
function verifyHeads() {
  const heads = read('heads.json') ?? []
  heads.forEach((head, i) =>
    attempt(`heads.json: head ${head.seq}`, () => {
      const [where, stated] = [`heads.json: head ${head.seq}`, JSON.parse(head.statement)]
      check(isSigned(head), where, 'it is no signature by a key of keys.json')
      check(
        stated.seq === head.seq && stated.hash === head.hash && stated.organization_id === organization.id,
        where,
        'another head was signed',
      )
      const before = heads[i - 1]
      if (before) check(stated.previous === sha256(before.statement), where, 'another head is missing before it')
      else
        check(
          opening ? instant(stated.published_at) <= instant(period.begins_at) : stated.previous === null,
          where,
          'the chain does not begin before the period',
        )
    }),
  )
  for (const [name, place] of Object.entries({ opening, cut, closing }))
    check(
      place === null || heads.some((head) => head.seq === place.seq && head.hash === place.hash),
      'manifest.json',
      `its ${name} head is not signed`,
    )
  return heads
}

await hashFiles()
await readLists()
for (const noun of NOUNS)
  for (const id of sample.drawn[noun] ?? []) attempt(`sample/${noun}s/${id}.json`, () => verifyItem(noun, id))
for (const id of approvals) attempt(`evidence/${id}.json`, () => verifyApproval(id))
await followChain(verifyHeads())
compareLog()
say(
  `${approvals.size} approvals with ${tally.proofs} proofs: ${tally.passkeys} signed by passkeys, ${tally.bound} of them for exactly this`,
)
say(
  `${tally.checks} payee checks, ${tally.calls} call-backs, ${tally.credentials} signed approvals, ${tally.papers} papers, ${tally.purged} purged before`,
)
if (tally.earlier)
  say(`${tally.earlier} events of items are older than this chain: an earlier pack proves their places`)
end()
function end() {
  for (const one of faults.slice(0, 100)) console.error(one)
  if (faults.length > 100) console.error(`and ${faults.length - 100} more`)
  console.log(faults.length ? `The pack does not hold: ${faults.length} faults.` : 'The pack holds.')
  process.exit(faults.length ? 1 : 0)
}
