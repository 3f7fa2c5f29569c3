import type { MailContent } from '../messages/mail.ts'
import { quoteInMail, unlink } from '../text.ts'
import { type InvoiceDocument, INVOICE_LANGUAGES } from '../invoice-documents/document.ts'
import { earlyRows } from '../invoice-documents/rows.ts'
import { type Row, WORDS, dayIn, moneyIn } from '../invoice-documents/words.ts'

/** Reason of the mail: the invoice is sent, also again; it is due soon; it is overdue. */
export type Occasion = 'sent' | 'soon' | 'late'

export const HELLO: Row = ['Hello,', 'Guten Tag,', 'Bonjour,', 'Hola:', 'Buongiorno,']
const ATTACHED: Row = [
  'The invoice is attached as PDF. Answers to this mail go to the sender of the invoice.',
  'Die Rechnung ist als PDF angehängt. Antworten auf diese Mail gehen an den Absender der Rechnung.',
  'La facture est jointe au format PDF. Votre réponse à ce message parviendra à l’émetteur de la facture.',
  'La factura va adjunta en PDF. Las respuestas a este correo llegan a quien emite la factura.',
  'La fattura è allegata in PDF. Le risposte a questa mail arrivano a chi ha emesso la fattura.',
]
/** Reason for the mail, and its sender. */
export const WHY: Row = [
  'We send this mail on behalf of {seller}, who named you as a customer. We have not checked the invoice: if you do not know the sender, pay nothing, and open nothing.',
  'Wir senden diese Mail im Auftrag von {seller}; dort sind Sie als Kunde eingetragen. Wir haben die Rechnung nicht geprüft: Wenn Sie den Absender nicht kennen, bezahlen und öffnen Sie nichts.',
  'Nous envoyons ce message pour le compte de {seller}, qui vous a indiqué comme client. Nous n’avons pas vérifié la facture : si vous ne connaissez pas l’émetteur, ne payez rien et n’ouvrez rien.',
  'Enviamos este correo por encargo de {seller}, que le ha indicado como cliente. No hemos comprobado la factura: si no conoce a quien la envía, no pague ni abra nada.',
  'Inviamo questa mail per conto di {seller}, che vi ha indicato come cliente. Non abbiamo verificato la fattura: se non conoscete il mittente, non pagate e non aprite nulla.',
]
const QUOTES: Row<readonly [string, string]> = [
  ['"', '"'],
  ['„', '“'],
  ['«\u00a0', '\u00a0»'],
  ['«', '»'],
  ['«', '»'],
]

const SUBJECTS: Readonly<Record<Occasion, Row>> = {
  sent: [
    'Invoice {number} from {seller}',
    'Rechnung {number} von {seller}',
    'Facture {number} de {seller}',
    'Factura {number} de {seller}',
    'Fattura {number} da {seller}',
  ],
  soon: [
    'Invoice {number} from {seller} is due on {due}',
    'Rechnung {number} von {seller} ist am {due} fällig',
    'La facture {number} de {seller} arrive à échéance le {due}',
    'La factura {number} de {seller} vence el {due}',
    'La fattura {number} di {seller} scade il {due}',
  ],
  late: [
    'Reminder: invoice {number} from {seller} is overdue',
    'Erinnerung: Rechnung {number} von {seller} ist überfällig',
    'Rappel : la facture {number} de {seller} est échue',
    'Recordatorio: la factura {number} de {seller} ha vencido',
    'Sollecito: la fattura {number} di {seller} è scaduta',
  ],
}

const BODIES: Readonly<Record<Occasion, Row>> = {
  sent: [
    '{seller} sends you invoice {number}: {amount}, due on {due}.',
    '{seller} sendet Ihnen die Rechnung {number} über {amount}, fällig am {due}.',
    '{seller} vous adresse la facture {number} : {amount}, à régler avant le {due}.',
    '{seller} le envía la factura {number}: {amount}, con vencimiento el {due}.',
    '{seller} vi invia la fattura {number}: {amount}, con scadenza il {due}.',
  ],
  soon: [
    'Invoice {number} from {seller} is due on {due}: {amount} is still to be paid. If you have paid it already, there is nothing to do.',
    'Die Rechnung {number} von {seller} ist am {due} fällig: {amount} sind noch offen. Wenn Sie schon bezahlt haben, ist nichts zu tun.',
    'La facture {number} de {seller} arrive à échéance le {due} : {amount} restent à régler. Si vous avez déjà payé, vous n’avez rien à faire.',
    'La factura {number} de {seller} vence el {due}: quedan por pagar {amount}. Si ya ha pagado, no tiene que hacer nada.',
    'La fattura {number} di {seller} scade il {due}: restano da pagare {amount}. Se avete già pagato, non dovete fare nulla.',
  ],
  late: [
    'Invoice {number} from {seller} was due on {due}, and {amount} is still to be paid. If you have paid it already, there is nothing to do.',
    'Die Rechnung {number} von {seller} war am {due} fällig, und {amount} sind noch offen. Wenn Sie schon bezahlt haben, ist nichts zu tun.',
    'La facture {number} de {seller} était à régler avant le {due}, et {amount} restent à régler. Si vous avez déjà payé, vous n’avez rien à faire.',
    'La factura {number} de {seller} venció el {due}, y quedan por pagar {amount}. Si ya ha pagado, no tiene que hacer nada.',
    'La fattura {number} di {seller} è scaduta il {due} e restano da pagare {amount}. Se avete già pagato, non dovete fare nulla.',
  ],
}

/**
 * Writes the mail about an invoice. No text of the seller becomes a link, or passes for ours.
 * @param amount the total if the invoice is sent, and what is left to be paid otherwise
 */
export function mailAbout(document: InvoiceDocument, occasion: Occasion, amount: string): MailContent {
  const { number, page_url: url, language } = document
  const index = INVOICE_LANGUAGES.indexOf(language)
  const facts = {
    number: unlink(number),
    seller: quoteIn(index, document.seller.name),
    amount: moneyIn(document, amount),
    due: dayIn(document, document.due_date),
  }
  const say = (row: Row) => row[index]!.replaceAll(/\{(\w+)\}/g, (_, name) => facts[name as keyof typeof facts]) // a fact each
  const words = WORDS[language]
  const early = occasion === 'sent' ? earlyRows(document) : []
  return {
    subject: say(SUBJECTS[occasion]),
    paragraphs: [say(HELLO), say(BODIES[occasion]), ...early, say(ATTACHED)],
    facts: [
      [words.from, facts.seller],
      [words.number, facts.number],
      [words.payable, facts.amount],
      [words.due, facts.due],
    ],
    ...(url !== null && { action: { label: words.view, url } }),
    footer: [say(WHY)],
    language,
  }
}

/** Quotes a name as a language does; none of its quotes are in the name. */
export function quoteIn(index: number, name: string): string {
  const [open, close] = QUOTES[index]!
  const inside = quoteInMail(name)
    .slice(1, -1)
    .replaceAll(/[«»‹›„“”]/g, "'")
  return `${open}${inside}${close}`
}
