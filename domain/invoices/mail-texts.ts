/** What a customer reads in a mail about an invoice, in their language. */
import type { InvoiceDocument } from './document.ts'
import { quotedInMail, unlinked } from '../text.ts'
import { dayIn, moneyIn } from './words.ts'

type InvoiceLanguage = InvoiceDocument['language']

/** What is written about: an invoice for the first time, once more, or one that is to be paid soon or is late. */
export type Occasion = 'sent' | 'soon' | 'late'

/** As they stand in a mail: nothing that the seller wrote is a link, or passes for our words. */
type Facts = {
  readonly number: string
  readonly seller: string
  readonly amount: string
  readonly due: string
}
type Words = Readonly<Record<Occasion, { subject(facts: Facts): string; body(facts: Facts): string }>> & {
  readonly hello: string
  readonly page: string
  readonly attached: string
  /** Says why the mail came, and who is behind it. */
  why(seller: string): string
  readonly quotes: readonly [string, string]
}

const TEXTS: Readonly<Record<InvoiceLanguage, Words>> = {
  en: {
    hello: 'Hello,',
    page: 'The invoice, and how to pay it:',
    attached: 'The invoice is attached as PDF. Answers to this mail go to the sender of the invoice.',
    why: (seller) =>
      `We send this mail on behalf of ${seller}, who named you as a customer. We have not checked the invoice: if you do not know the sender, pay nothing, and open nothing.`,
    quotes: ['"', '"'],
    sent: {
      subject: ({ number, seller }) => `Invoice ${number} from ${seller}`,
      body: ({ number, seller, amount, due }) => `${seller} sends you invoice ${number}: ${amount}, due on ${due}.`,
    },
    soon: {
      subject: ({ number, seller, due }) => `Invoice ${number} from ${seller} is due on ${due}`,
      body: ({ number, seller, amount, due }) =>
        `Invoice ${number} from ${seller} is due on ${due}: ${amount} is still to be paid. If you have paid it already, there is nothing to do.`,
    },
    late: {
      subject: ({ number, seller }) => `Reminder: invoice ${number} from ${seller} is overdue`,
      body: ({ number, seller, amount, due }) =>
        `Invoice ${number} from ${seller} was due on ${due}, and ${amount} is still to be paid. If you have paid it already, there is nothing to do.`,
    },
  },
  de: {
    hello: 'Guten Tag,',
    page: 'Die Rechnung und wie Sie sie bezahlen:',
    attached: 'Die Rechnung ist als PDF angehängt. Antworten auf diese Mail gehen an den Absender der Rechnung.',
    why: (seller) =>
      `Wir senden diese Mail im Auftrag von ${seller}; dort sind Sie als Kunde eingetragen. Wir haben die Rechnung nicht geprüft: Wenn Sie den Absender nicht kennen, bezahlen und öffnen Sie nichts.`,
    quotes: ['„', '“'],
    sent: {
      subject: ({ number, seller }) => `Rechnung ${number} von ${seller}`,
      body: ({ number, seller, amount, due }) =>
        `${seller} sendet Ihnen die Rechnung ${number} über ${amount}, fällig am ${due}.`,
    },
    soon: {
      subject: ({ number, seller, due }) => `Rechnung ${number} von ${seller} ist am ${due} fällig`,
      body: ({ number, seller, amount, due }) =>
        `Die Rechnung ${number} von ${seller} ist am ${due} fällig: ${amount} sind noch offen. Wenn Sie schon bezahlt haben, ist nichts zu tun.`,
    },
    late: {
      subject: ({ number, seller }) => `Erinnerung: Rechnung ${number} von ${seller} ist überfällig`,
      body: ({ number, seller, amount, due }) =>
        `Die Rechnung ${number} von ${seller} war am ${due} fällig, und ${amount} sind noch offen. Wenn Sie schon bezahlt haben, ist nichts zu tun.`,
    },
  },
  fr: {
    hello: 'Bonjour,',
    page: 'La facture et les informations de paiement :',
    attached: 'La facture est jointe au format PDF. Votre réponse à ce message parviendra à l’émetteur de la facture.',
    why: (seller) =>
      `Nous envoyons ce message pour le compte de ${seller}, qui vous a indiqué comme client. Nous n’avons pas vérifié la facture : si vous ne connaissez pas l’émetteur, ne payez rien et n’ouvrez rien.`,
    quotes: ['«\u00a0', '\u00a0»'],
    sent: {
      subject: ({ number, seller }) => `Facture ${number} de ${seller}`,
      body: ({ number, seller, amount, due }) =>
        `${seller} vous adresse la facture ${number} : ${amount}, à régler avant le ${due}.`,
    },
    soon: {
      subject: ({ number, seller, due }) => `La facture ${number} de ${seller} arrive à échéance le ${due}`,
      body: ({ number, seller, amount, due }) =>
        `La facture ${number} de ${seller} arrive à échéance le ${due} : ${amount} restent à régler. Si vous avez déjà payé, vous n’avez rien à faire.`,
    },
    late: {
      subject: ({ number, seller }) => `Rappel : la facture ${number} de ${seller} est échue`,
      body: ({ number, seller, amount, due }) =>
        `La facture ${number} de ${seller} était à régler avant le ${due}, et ${amount} restent à régler. Si vous avez déjà payé, vous n’avez rien à faire.`,
    },
  },
  es: {
    hello: 'Hola:',
    page: 'La factura y cómo pagarla:',
    attached: 'La factura va adjunta en PDF. Las respuestas a este correo llegan a quien emite la factura.',
    why: (seller) =>
      `Enviamos este correo por encargo de ${seller}, que le ha indicado como cliente. No hemos comprobado la factura: si no conoce a quien la envía, no pague ni abra nada.`,
    quotes: ['«', '»'],
    sent: {
      subject: ({ number, seller }) => `Factura ${number} de ${seller}`,
      body: ({ number, seller, amount, due }) =>
        `${seller} le envía la factura ${number}: ${amount}, con vencimiento el ${due}.`,
    },
    soon: {
      subject: ({ number, seller, due }) => `La factura ${number} de ${seller} vence el ${due}`,
      body: ({ number, seller, amount, due }) =>
        `La factura ${number} de ${seller} vence el ${due}: quedan por pagar ${amount}. Si ya ha pagado, no tiene que hacer nada.`,
    },
    late: {
      subject: ({ number, seller }) => `Recordatorio: la factura ${number} de ${seller} ha vencido`,
      body: ({ number, seller, amount, due }) =>
        `La factura ${number} de ${seller} venció el ${due}, y quedan por pagar ${amount}. Si ya ha pagado, no tiene que hacer nada.`,
    },
  },
}

/** The mail about an invoice: `amount` is what it comes to if it is sent, and what is left to be paid otherwise. */
export function mailAbout(
  document: InvoiceDocument,
  occasion: Occasion,
  amount: string,
): { readonly subject: string; readonly body: string } {
  const { number, seller, language, due_date: day, page_url: url } = document
  const words = TEXTS[language]
  const name = nameIn(words, seller.name)
  const facts = { number: unlinked(number), seller: name, amount: moneyIn(document, amount), due: dayIn(document, day) }
  const page = url === null ? [] : [`${words.page}\n${url}`]
  const body = [words.hello, words[occasion].body(facts), ...page, words.attached, `-- \n${words.why(name)}`].join(
    '\n\n',
  )
  return { subject: words[occasion].subject(facts), body }
}

/** Quotes a name as a language does; none of its quotes are in the name. */
function nameIn({ quotes: [open, close] }: Words, name: string): string {
  const inside = quotedInMail(name)
    .slice(1, -1)
    .replaceAll(/[«»‹›„“”]/g, "'")
  return `${open}${inside}${close}`
}
