/** Pages of 50 out of 100,000 invoices of one organization, by words and other filters. */
import { newId } from '../domain/ids.ts'
import { sealPageToken } from '../services/invoice-delivery/documents.ts'
import { newToken, tokenHash } from '../platform/encryption.ts'
import { documentOf } from '../test/support/invoices/documents.ts'
import { line, median, timeOf } from './measure.ts'
import { type OwnerAccount, type SignedIn, callerOf, insertOwned, insertPerson, owner } from './owner.ts'

const INVOICES = 100_000
const PIECE = 10_000
const CONTACTS = 500
const TRIES = 30
const OLD = 4000
const AT_MOST_MS = 20

const PAGES: Readonly<Record<string, string>> = {
  'no filter': '',
  'a state': 'state=paid',
  'a state that few are in': 'state=finalized',
  overdue: 'overdue=true',
  'a rare word': 'full_text_search=rare4711',
  'a word of all': 'full_text_search=consulting',
  'a word of 1,000': 'full_text_search=harbour17',
  'a word of the 5,000 oldest': 'full_text_search=abacus',
  'a number': 'full_text_search=INV-054321',
  'how all numbers begin': 'full_text_search=INV',
  'a customer': 'full_text_search=Müller 77 GmbH',
  'two words': 'full_text_search=harbour17 consulting',
  'two words, each of many': 'full_text_search=consulting abacus',
  'a word that none has': 'full_text_search=nowhere',
  'words and a state': 'full_text_search=consulting&state=finalized',
  'old words and a state': 'full_text_search=abacus&state=paid',
  'old words and another state': 'full_text_search=abacus&state=finalized',
  'old words, overdue': 'full_text_search=abacus&overdue=true',
  'words and a customer': 'full_text_search=consulting&billing_contact_id=CUSTOMER',
  'old words, a page in the midst': 'full_text_search=abacus&cursor=OLD',
  'a word of all, a page in the midst': 'full_text_search=consulting&cursor=OLD',
}

/** Filters of a member who sees only their own invoices, one in a hundred. */
const OWN_PAGES: Readonly<Record<string, string>> = {
  'no filter, own': '',
  'a word of all, own': 'full_text_search=consulting',
  'a word of the 5,000 oldest, own': 'full_text_search=abacus',
  'a rare word, own': 'full_text_search=rare4711',
}

/** Reports lists of invoices, beside an organization with the same words. */
export async function benchInvoiceSearch(apiUrl: string): Promise<void> {
  await fill()
  const { member, ...seller } = await fill()
  await owner`vacuum analyze invoices, invoice_words, billing_contacts`
  await owner`checkpoint`
  const list = `/organizations/${seller.organizationId}/invoices?limit=50`
  const [oldest] = await owner<{ id: string; billing_contact_id: string }[]>`
    select id, billing_contact_id from invoices where organization_id = ${seller.organizationId} and sequence = ${OLD}`
  if (!oldest) throw new Error('it was inserted')
  const pages = (of: typeof PAGES, token: string) =>
    Object.entries(of).map(([name, query]) => {
      const path = `${list}&${query.replace('OLD', oldest.id).replace('CUSTOMER', oldest.billing_contact_id)}`
      return { name, path: encodeURI(path), call: callerOf(apiUrl, token) }
    })
  for (const { name, path, call } of [...pages(PAGES, seller.token), ...pages(OWN_PAGES, member.token)]) {
    const times: number[] = []
    let found = 0
    for (let i = 0; i < TRIES; i += 1) {
      times.push(await timeOf(async () => (found = (await call('GET', path)).data.length)))
    }
    const note = `${found} found, at most ${Math.max(...times).toFixed(0)} ms`
    line(`invoices by ${name}, p50 in ms`, median(times), note, { atMost: AT_MOST_MS })
  }
}

/** Inserts invoices: nine of ten paid, one in a thousand finalized, one in a hundred a member's. */
async function fill(): Promise<OwnerAccount & { readonly member: SignedIn }> {
  const seller = await insertOwned('Invoices')
  const member = await insertPerson()
  await owner`
    insert into members (organization_id, user_id, role) values (${seller.organizationId}, ${member.userId}, 'member')`
  const { organizationId, userId } = seller
  await owner`
    insert into billing_contacts (id, organization_id, company_name, emails, language, words, created_by)
    select gen_random_uuid(), ${organizationId}, 'Müller ' || i || ' GmbH', array['buero' || i || '@example.com'], 'de',
      'muller ' || i || ' gmbh buero' || i || ' example com', ${userId}
    from generate_series(1, ${CONTACTS}) i`
  const { lines, taxes, ...rest } = documentOf()
  for (let from = 1; from <= INVOICES; from += PIECE) {
    const rows = Array.from({ length: PIECE }, (_, index) => {
      const [id, token] = [newId<'invoice'>(), newToken()]
      return { id, hash: tokenHash(token), sealed: sealPageToken(id, token), sequence: from + index }
    })
    const of = <Name extends keyof (typeof rows)[number]>(name: Name) => rows.map((row) => row[name])
    const hex = (name: 'hash' | 'sealed') => of(name).map((bytes) => bytes.toString('hex'))
    await owner`
      insert into invoices (id, organization_id, status, billing_contact_id, sequence, number, currency, issue_date,
        due_date, profile, line_items, taxes, net_total, tax_total, total, own_words, document, page_token_hash,
        page_token_sealed, created_by, mail_to, sent_at, completed_at, paid_at, inserted_at)
      select r.id, ${organizationId}, r.status,
        (array(select id from billing_contacts where organization_id = ${organizationId} order by words))[1 + n % ${CONTACTS}],
        n, 'INV-' || lpad(n::text, 6, '0'), 'EUR', '2026-01-01', case when n % 3 = 0 then '2026-01-02'::date else '2099-01-01' end,
        'none', ${owner.json(lines)}, ${owner.json(taxes)}, 100, 19, 119,
        words_of(concat_ws(' ', 'consulting', 'harbour' || n % 100, case when n % 20011 = 4711 then 'rare' || n end,
          case when n <= 5000 then 'abacus' end, 'inv', lpad(n::text, 6, '0'), 'inv' || lpad(n::text, 6, '0'), '119', 'eur')),
        ${owner.json({ ...rest, lines, taxes })}, decode(hash, 'hex'), decode(sealed, 'hex'),
        case when n % 100 = 50 then ${member.userId}::uuid else ${userId} end, '{}', now(),
        case when r.status <> 'sent' then now() end, case when r.status = 'paid' then now() end,
        '2026-01-01'::timestamptz + make_interval(secs => n)
      from (select *, case when n % 1000 = 0 then 'finalized' when n > ${INVOICES * 0.9} then 'sent' else 'paid' end as status
        from unnest(${of('id')}::uuid[], ${hex('hash')}::text[], ${hex('sealed')}::text[],
          ${of('sequence')}::integer[]) r (id, hash, sealed, n)) r`
  }
  return { ...seller, member }
}
