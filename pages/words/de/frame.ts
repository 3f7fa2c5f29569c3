/** Words of the frame of pages, of lists and of first pages in German. */
import type { frame as Words } from '../en/frame.ts'

export const frame: typeof Words = {
  skip: 'Zum Inhalt',
  places: {
    home: 'Start',
    approvals: 'Freigaben',
    payments: 'Zahlungen',
    bills: 'Belege',
    batches: 'Sammelzahlungen',
    invoices: 'Rechnungen',
    payees: 'Empfänger',
    company: 'Firma',
    books: 'Buchhaltung',
    programs: 'Programme',
    more: 'Mehr',
  },
  frame: {
    places: 'Bereiche',
    company: 'Firma wechseln',
    person: 'Angemeldet als',
    account: 'Ihr Konto',
    history: 'Was Sie entschieden haben',
    signOut: 'Abmelden',
    waiting: (count) => `${count} für Sie zu entscheiden`,
    language: 'English',
    otherLanguage: 'en',
  },
  fault: { heading: 'Das hat nicht geklappt', request: 'Anfrage', home: 'Zur Startseite' },
  again: {
    heading: 'Sie sind abgemeldet',
    text: 'Ihre Eingaben sind nicht verloren, und noch ist nichts geschehen. Melden Sie sich daneben an, und senden Sie dann noch einmal.',
    signIn: 'In einem neuen Tab anmelden',
    send: 'Noch einmal senden',
  },
  notFound: {
    heading: 'Nicht gefunden',
    text: 'Diese Seite gibt es nicht, oder Sie dürfen sie nicht sehen.',
  },
  start: {
    heading: 'Zahlen, bezahlt werden, freigeben',
    text: 'Guthaben, Zahlungen, Belege und Rechnungen von Firmen. Jede Zahlung geben Menschen frei.',
    doors: {
      approve: { name: 'Anmelden', text: 'Sehen, was auf Sie wartet, zahlen und freigeben.' },
      signUp: { name: 'Konto anlegen', text: 'Für alle, die mit einer Firma beginnen oder eingeladen wurden.' },
      reference: { name: 'Für Entwickler', text: 'Jede Operation der API, mit Beispielen.' },
      operate: { name: 'Für den Betrieb', text: 'Was dieser Dienst gerade tut, und was einen Menschen braucht.' },
    },
  },
  list: {
    next: 'Ältere',
    search: 'Suchen',
    find: 'Finden',
    none: 'Nichts passt zu dieser Suche.',
  },
}
