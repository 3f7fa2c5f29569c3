/** Files of bills: several at once, each with a verdict of its own. */
import { createHash, randomUUID } from 'node:crypto'
import { html } from 'hono/html'
import type { Markup } from '../../api/http/http.ts'
import type { Bill } from '../../domain/bills/bill.ts'
import { typeByFirstBytes } from '../../domain/files/first-bytes.ts'
import type { UploadSlot } from '../../domain/files/file.ts'
import { type CompanyShell, companyPage } from '../frame/company.ts'
import { type Page, isolate, keepFields } from '../frame/layout.ts'
import { messageOf } from '../frame/messages.ts'
import { badge, field, head, icon, notice, table } from '../frame/parts.ts'
import type { Fields, SentFile, Viewer } from '../frame/viewer.ts'
import type { Words } from '../words/en.ts'

/** Shows the form that takes files; a file input takes files that are dropped on it, too. */
export const filesForm = ({ company }: CompanyShell, { bills: { files } }: Words, wrong?: string): Markup =>
  html`<form class="card drop" method="post" action="/o/${company.id}/bills/files" enctype="multipart/form-data">
    ${keepFields([['key', randomUUID()]])}
    ${field({
      id: 'files',
      label: files.label,
      type: 'file',
      hint: files.hint,
      required: true,
      wrong,
      more: html`multiple accept=".pdf,.png,.jpg,.jpeg,.webp,.tif,.tiff,.xml"`,
    })}
    <button>${icon('file')}${files.send}</button>
  </form>`

type Verdict = { readonly name: string } & ({ readonly bill: Bill } | { readonly why: string })

const FILE_BYTES_MAX = 10 * 1024 * 1024

/** Makes a bill of each file. A file that is refused loses no other one; the same form makes each bill once. */
export async function takeFiles(viewer: Viewer, form: Fields): Promise<Page | Response> {
  const { http, words } = viewer
  const companyId = http.req.param('company') ?? ''
  const files = form.files('files')
  if (files.length === 0) return noFiles(viewer)
  const verdicts: Verdict[] = []
  for (const file of files) verdicts.push(await takeFile(viewer, companyId, form.get('key'), file))
  const [only, ...others] = verdicts
  if (only && 'bill' in only && others.length === 0) {
    return http.redirect(`/o/${companyId}/bills/${only.bill.id}?done=sent`, 303)
  }
  return verdictPage(verdicts, words)(viewer)
}

async function takeFile(viewer: Viewer, companyId: string, key: string, file: SentFile): Promise<Verdict> {
  const { files } = viewer.words.bills
  const { name, bytes } = file
  const of = `/organizations/${encodeURIComponent(companyId)}/bills`
  const type = typeByFirstBytes(bytes)
  if (bytes.length === 0) return { name, why: files.empty }
  if (bytes.length > FILE_BYTES_MAX) return { name, why: files.large }
  if (!type) return { name, why: files.type }
  // the key is of the file, so that the same form may come with fewer files, or more
  const own = `${key}-${createHash('sha256').update(name).update(bytes).digest('hex').slice(0, 40)}`
  const wanted = { filename: nameOf(name), byte_size: bytes.length, content_type: type }
  const slot = await viewer.call<UploadSlot>('POST', `${of}/upload`, wanted, `${own}-slot`)
  if (!slot.ok) return { name, why: messageOf(slot.error) }
  const sent = await viewer.upload(slot.body.upload_url, type, bytes)
  if (!sent.ok) return { name, why: messageOf(sent.error) }
  const bill = await viewer.call<Bill>('POST', of, { file_id: slot.body.id }, own)
  return bill.ok ? { name, bill: bill.body } : { name, why: messageOf(bill.error) }
}

const NAME_MAX = 255
/** Cuts a name to what the API takes, on one line. */
const nameOf = (name: string): string =>
  name
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
    .slice(0, NAME_MAX) || 'bill'

/** Leads from the address of the verdicts, which a form alone shows, to the list. */
export const leaveFiles = companyPage('bills', ({ http }, { company }) =>
  Promise.resolve(http.redirect(`/o/${company.id}/bills`, 303)),
)

const noFiles = companyPage('bills', ({ words }, shell) => {
  const { files } = words.bills
  return Promise.resolve({
    title: files.label,
    status: 422,
    body: html`${head(files.label)} ${filesForm(shell, words, files.none)}`,
  })
})

const verdictPage = (verdicts: readonly Verdict[], { bills: { files } }: Words) =>
  companyPage('bills', ({ words }, shell) => {
    const refused = verdicts.filter((one) => 'why' in one)
    const taken = verdicts.length - refused.length
    return Promise.resolve({
      title: files.heading,
      ...(taken === 0 && { status: 422 as const }),
      body: html`${head(files.heading)} ${taken > 0 ? notice('done', files.taken(taken)) : ''}
        ${refused.length > 0 ? notice('fault', files.refused(refused.length)) : ''}
        <div class="card">
          ${table({
            caption: files.heading,
            columns: [{ name: files.file }, { name: files.verdict }],
            rows: verdicts.map((one) => [isolate(one.name), verdictOf(one, shell, words)]),
          })}
        </div>
        ${
          refused.length > 0
            ? html`<p>${files.again}</p>
                ${filesForm(shell, words)}`
            : ''
        }
        <p><a href="/o/${shell.company.id}/bills">${files.more}</a></p>`,
    })
  })

const verdictOf = (verdict: Verdict, { company }: CompanyShell, { bills: { files, states } }: Words): Markup =>
  'why' in verdict
    ? html`${icon('bad')} ${verdict.why}`
    : html`${badge(states.reading)} <a href="/o/${company.id}/bills/${verdict.bill.id}">${files.look}</a>`
