/** Mail that brings a credit note to the customer of its invoice. */
import { type InvoiceDocument, INVOICE_LANGUAGES } from '../invoice-documents/document.ts'
import { HELLO, WHY, quoteIn } from '../invoices/mail-texts.ts'
import { type Row, WORDS, moneyIn } from '../invoice-documents/words.ts'
import type { MailContent } from '../messages/mail.ts'
import { unlink } from '../text.ts'
import { creditWords } from '../invoice-documents/credit-note-words.ts'

const SUBJECT: Row = [
  'Credit note {number} from {seller}',
  'Rechnungskorrektur {number} von {seller}',
  'Avoir {number} de {seller}',
  'Factura rectificativa {number} de {seller}',
  'Nota di credito {number} di {seller}',
]
const BODY: Row = [
  '{seller} sends you credit note {number}: {amount} of invoice {invoice} is credited.',
  '{seller} sendet Ihnen die Rechnungskorrektur {number}: {amount} der Rechnung {invoice} werden gutgeschrieben.',
  '{seller} vous adresse l’avoir {number} : {amount} de la facture {invoice} vous sont crédités.',
  '{seller} le envía la factura rectificativa {number}: se abonan {amount} de la factura {invoice}.',
  '{seller} le invia la nota di credito {number}: sono accreditati {amount} della fattura {invoice}.',
]
const ATTACHED: Row = [
  'The credit note is attached as PDF. Answers to this mail go to its sender.',
  'Die Rechnungskorrektur ist als PDF angehängt. Antworten auf diese Mail gehen an ihren Absender.',
  'L’avoir est joint au format PDF. Votre réponse à ce message parviendra à son émetteur.',
  'La factura rectificativa va adjunta en PDF. Las respuestas a este correo llegan a quien la emite.',
  'La nota di credito è allegata in PDF. Le risposte a questa e-mail arrivano a chi la emette.',
]

/** Writes the mail about a credit note. No text of the seller becomes a link, or passes for ours. */
export function mailAboutCreditNote(document: InvoiceDocument): MailContent {
  const { number, corrects, page_url: url, language } = document
  const index = INVOICE_LANGUAGES.indexOf(language)
  const facts = {
    number: unlink(number),
    invoice: unlink(corrects?.number ?? ''),
    seller: quoteIn(index, document.seller.name),
    amount: moneyIn(document, document.total),
  }
  const say = (row: Row) => row[index]!.replaceAll(/\{(\w+)\}/g, (_, name) => facts[name as keyof typeof facts]) // a fact each
  const [words, credit] = [WORDS[language], creditWords(document)]
  return {
    subject: say(SUBJECT),
    paragraphs: [say(HELLO), say(BODY), say(ATTACHED)],
    facts: [
      [words.from, facts.seller],
      [credit.number, facts.number],
      [credit.invoice, facts.invoice],
      [credit.amount, facts.amount],
    ],
    ...(url !== null && { action: { label: words.view, url } }),
    footer: [say(WHY)],
    language,
  }
}
