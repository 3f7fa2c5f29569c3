/** Words of the networks from which a company is reached, in German. */
import type { networks as Words } from '../../en/company/networks.ts'

export const networks: typeof Words = {
  heading: 'Netze',
  card: 'Netze',
  cardText: 'Von wo aus die Firma erreichbar ist.',
  text: 'Zugänge der Firma gelten nur aus diesen Netzen. Von überall gehen weiter: eingehende Mails, Seiten von Rechnungen und Meldungen der Banken.',
  yours: (address: string) => `Sie kommen gerade von ${address}.`,
  none: 'Die Firma ist von überall erreichbar.',
  list: 'Netze und Adressen, je Zeile eine',
  listHint: 'Etwa 203.0.113.0/24, 2001:db8:12::/48 oder eine einzelne Adresse. Höchstens 100.',
  appliesTo: 'Sie gelten für',
  kinds: {
    sessions: 'angemeldete Personen',
    api_keys: 'API-Schlüssel',
    delegates: 'Programme und Agenten von Mitgliedern',
  },
  save: 'Netze festlegen',
  remove: 'Netze entfernen',
  removeText: 'Die Firma ist dann von überall erreichbar.',
  removeNow: 'Entfernen',
  outside: 'Sie sind außerhalb der Netze dieser Firma',
  outsideText:
    'Ist niemand mehr innerhalb, können zwei Inhaber die Netze von hier aus aufheben, jeder mit einem Nachweis: der zweite innerhalb von 48 Stunden nach dem ersten. Ein einziger Inhaber wiederholt es nach 24 Stunden. Alle Inhaber erhalten eine Mail.',
  lift: 'Aufhebung verlangen oder bestätigen',
  lifting: 'Ein Inhaber verlangt, die Netze aufzuheben. Ein anderer Inhaber kann es bestätigen bis',
  cancel: 'Dieses Verlangen beenden',
  done: {
    saved: 'Die Netze sind festgelegt, ab sofort.',
    removed: 'Die Netze sind entfernt.',
    requested: 'Das Verlangen ist offen: ein anderer Inhaber muss es bestätigen.',
    lifted: 'Die Netze sind aufgehoben.',
    cancelled: 'Das Verlangen ist beendet.',
  },
}
