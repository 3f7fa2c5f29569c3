/** Words of approvals in German. */
import type { approvals as Words } from '../en/approvals.ts'

export const approvals: typeof Words = {
  kinds: {
    payment: 'Zahlung',
    batch: (rows) => `Sammelzahlung, ${rows} Zahlungen`,
    payee: 'Empfänger',
    invitation: 'Einladung',
    invoice: 'Rechnung',
    creditNote: 'Gutschrift',
  },
  actions: {
    withdrawal: 'Zahlungen',
    payment_batch: 'Sammelzahlungen',
    payment_contact: 'Empfänger',
    billing_invoice: 'Rechnungen',
    organization_invitation: 'Einladungen',
  },
  warnings: {
    payee_no_match: {
      short: 'anderer Name bei der Bank',
      long: 'Die Bank kennt dieses Konto unter einem anderen Namen',
    },
    similar_name: { short: 'ähnelt anderem Empfänger', long: 'Der Name sieht dem eines anderen Empfängers ähnlich' },
    account_changed: {
      short: 'Konto hat sich geändert',
      long: 'Der Empfänger wurde zuletzt auf ein anderes Konto bezahlt',
    },
    holder_differs: {
      short: 'anderer Inhaber genannt',
      long: 'Es ist ein anderer Inhaber genannt als der, unter dem das Konto bekannt ist',
    },
    payer_changed: {
      short: 'Zahler hat sich geändert',
      long: 'Ihre Firma zahlt unter einem anderen geprüften Namen oder einer anderen Anschrift als bisher',
    },
    unusual_amount: {
      short: 'viel mehr als sonst',
      long: 'Mehr als das Dreifache dessen, was dieser Empfänger sonst bekommt',
    },
    duplicate: {
      short: 'derselbe Betrag noch einmal',
      long: 'Derselbe Betrag auf dieses Konto innerhalb von 30 Tagen',
    },
    payee_close_match: {
      short: 'ähnlicher Name bei der Bank',
      long: 'Die Bank kennt dieses Konto unter einem ähnlichen Namen',
    },
    first_payment: { short: 'erste Zahlung', long: 'Erste Zahlung auf dieses Konto' },
    new_country: { short: 'neues Land', long: 'Erste Zahlung in dieses Land' },
    address_missing: {
      short: 'keine Anschrift',
      long: 'Die Bank bekommt keine Anschrift des Empfängers mit Ort und Land',
    },
    by_delegate: {
      short: 'von einem Programm',
      long: 'Vorbereitet von einem Programm oder Agenten, nicht von der Person',
    },
  },
  asked: 'erbeten von',
  asSubstitute: 'Sie entscheiden als Vertretung',
  until: 'bis',
  heading: (count) => (count === 0 ? 'Nichts für Sie zu entscheiden' : `${count} für Sie zu entscheiden`),
  none: 'Nichts wartet',
  noneYet: 'Neue Anfragen erscheinen hier von selbst; was lange wartet, meldet eine Mail.',
  all: 'Alle Arten',
  kind: 'Art',
  warned: 'Mit Warnungen',
  chooseAll: 'Alle auswählen',
  choose: (what) => `${what} auswählen`,
  approve: 'Auswahl freigeben',
  reject: 'Ablehnen…',
  mine: 'Für Sie',
  blocked: 'Niemand ist mehr da, der freigeben könnte',
  others: 'Wartet auf andere',
  further: 'Ihre anderen Firmen',
  approveSet: (count) => `${count} ${count === 1 ? 'Anfrage' : 'Anfragen'} freigeben?`,
  rejectSet: (count) => `${count} ${count === 1 ? 'Anfrage' : 'Anfragen'} ablehnen?`,
  warnedOnes: (count) =>
    count === 1
      ? 'Zu einer davon gibt es eine Warnung. Sehen Sie sich diese zuerst an.'
      : `Zu ${count} davon gibt es Warnungen. Sehen Sie sich diese zuerst an.`,
  stopsHere: (count) =>
    count === 1
      ? 'Zu einer Anfrage gibt es eine Warnung. Prüfen Sie sie genau; sie steht zuerst.'
      : `Zu ${count} Anfragen gibt es Warnungen. Prüfen Sie sie genau; sie stehen zuerst.`,
  withWarnings: 'mit Warnungen',
  approveOthers: (count) => (count === 1 ? 'Die eine ohne Warnung freigeben' : `Die ${count} ohne Warnungen freigeben`),
  approveAll: (count) => `Alle ${count} freigeben`,
  proofs: (companies) => `Sie gehören zu ${companies} Firmen: Jede verlangt einmal den Beleg, dass Sie es sind.`,
  approveNow: 'Freigeben',
  rejectNow: 'Ablehnen',
  rejectReason: 'Grund (optional)',
  notNow: 'Nicht jetzt',
  notAll: 'Nicht alles wurde entschieden',
  needOthers: 'Manches brauchen noch andere Personen',
  groups: {
    approved: 'Freigegeben',
    rejected: 'Abgelehnt',
    refused: 'Nicht entschieden',
    open: 'Von Ihnen freigegeben; eine weitere Person muss noch freigeben',
  },
  toInbox: 'Zur Liste',
  left: (count) => `${count} ${count === 1 ? 'bleibt' : 'bleiben'} noch.`,
  inThese: (count) => `in diesen ${count} Firmen`,
  statuses: { approved: 'freigegeben', rejected: 'abgelehnt', cancelled: 'zurückgezogen oder abgelaufen' },
  status: 'Ausgang',
  allStatuses: 'Jeder Ausgang',
  company: 'Firma',
  allCompanies: 'Alle Firmen',
  by: 'von',
  noHistory: 'Hier wurde noch nichts entschieden',
  done: { approved: 'Freigegeben.', rejected: 'Abgelehnt.' },
  history: 'Was entschieden wurde',
}
