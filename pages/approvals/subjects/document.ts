/** Draft of an invoice or credit note as its customer will get it. */
import { about } from '../find.ts'

/** Answers the PDF of what waits to be sent. */
export const showDocument = about(async (viewer, { approval }) => {
  const { subject } = approval
  if (subject.type !== 'billing_invoice') return null
  const { credit_note: note, billing_invoice: invoice } = subject
  const answer = await viewer.fetch(
    'GET',
    note ? `/credit-notes/${note.id}/pdf?draft=true` : `/invoices/${invoice.id}/pdf?draft=true`,
  )
  if (!answer.ok) return null
  return viewer.http.body(await answer.arrayBuffer(), 200, {
    'content-type': 'application/pdf',
    'content-disposition': 'inline; filename="draft.pdf"',
  })
})
