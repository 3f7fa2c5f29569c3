/** Files that belong to what is asked for: a picture of the first page of each, and a link to the whole. */
import { html } from 'hono/html'
import type { Markup } from '../../../api/http/http.ts'
import type { AttachmentFile, SignedAttachment } from '../../../domain/attachments/attachment.ts'
import { isUuid } from '../../../domain/ids.ts'
import { isolate } from '../../frame/layout.ts'
import { icon } from '../../frame/parts.ts'
import type { Viewer } from '../../frame/viewer.ts'
import { type FoundApproval, type RequestShell, about } from '../find.ts'
import type { InferOutput } from 'valibot'

/** Shows the files beside the fields, as what an approver signs has them; nothing without any. */
export function showAttachments({ approval, texts }: RequestShell): Markup | '' {
  const { attachments, approval_id: id } = approval
  if (attachments.length === 0) return ''
  const { attached: words } = texts.words.request
  return html`<section class="card">
    <h2>${words.heading}</h2>
    <p class="small">${words.signed}</p>
    <div class="columns">
      ${attachments.map(
        (file, index) =>
          html`<figure class="sheet">
            ${
              hasPages(file)
                ? html`<img
                    src="/approve/${id}/files/${file.file_id}/page.png"
                    alt="${words.picture(index + 1)}"
                    loading="lazy"
                  />`
                : ''
            }
            <figcaption class="small">
              <a href="/approve/${id}/files/${file.file_id}">${icon('file')} ${isolate(file.filename)}</a>
            </figcaption>
          </figure>`,
      )}
    </div>
  </section>`
}

const hasPages = ({ content_type: type }: SignedAttachment): boolean => !type.endsWith('xml')

const pathOf = ({ http }: Viewer, { organization, approval }: FoundApproval): string | null => {
  const file = http.req.param('file') ?? ''
  if (!isUuid(file)) return null
  return `/organizations/${organization.id}/approvals/${approval.approval_id}/attachments/${file}`
}

/** Leads to a file as it was handed in. */
export const showAttachment = about(async (viewer, found) => {
  const path = pathOf(viewer, found)
  const answer = path && (await viewer.call<InferOutput<typeof AttachmentFile>>('GET', path))
  return answer && answer.ok ? viewer.http.redirect(answer.body.download_url, 302) : null
})

/** Answers the first page of a file as a picture. */
export const showAttachmentPicture = about(async (viewer, found) => {
  const path = pathOf(viewer, found)
  const picture = path && (await viewer.fetch('GET', `${path}/pages/1.png`))
  return picture && picture.ok
    ? viewer.http.body(await picture.arrayBuffer(), 200, { 'content-type': 'image/png' })
    : null
})
