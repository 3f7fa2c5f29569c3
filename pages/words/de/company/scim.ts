/** Words of members that the identity provider manages, in German. */
import type { scim as english } from '../../en/company/scim.ts'

export const scim: typeof english = {
  heading: 'Mitglieder durch den Anbieter (SCIM)',
  open: 'Mitglieder durch den Anbieter',
  openText: 'Der Anbieter fügt Mitglieder hinzu, entfernt sie und gibt ihnen Rollen durch seine Gruppen.',
  text: 'Tragen Sie diese Adresse und einen Schlüssel beim Anbieter ein. Er nennt, wer bei der ersten Anmeldung dort Mitglied wird, und beendet Mitgliedschaften sofort. Inhaber ändern nur Inhaber.',
  scimUrl: 'Adresse für SCIM',
  last: 'Letzte Anfrage',
  noneYet: 'keine in den letzten sieben Tagen',
  tokens: 'Schlüssel',
  name: 'Name',
  nameHint:
    'Etwa der Name des Anbieters. Um einen Schlüssel zu ersetzen, legen Sie einen neuen an, tragen ihn ein und widerrufen dann den alten.',
  made: 'Angelegt',
  used: 'Zuletzt benutzt',
  neverUsed: 'nie',
  state: 'Zustand',
  revoked: 'widerrufen',
  revoke: 'Widerrufen',
  make: 'Schlüssel anlegen',
  madeNow: 'Der Schlüssel ist angelegt',
  secretText:
    'Tragen Sie ihn beim Anbieter als Bearer-Token von SCIM ein. Er verwaltet Mitglieder, und tut sonst nichts.',
  groups: 'Gruppen',
  groupsText:
    'Die stärkste Rolle der Gruppen einer Person zählt. Wer in keiner ist, ist Mitglied, und wer die letzte verlässt, gewinnt nichts.',
  noGroups: 'Noch keine Gruppen',
  noGroupsYet: 'Gruppen erscheinen hier, wenn der Anbieter sie sendet.',
  members: (count: number) => (count === 1 ? '1 Person' : `${count} Personen`),
  role: 'Rolle',
  noRole: 'keine Rolle durch diese Gruppe',
  save: 'Rolle speichern',
  managed: 'Verwaltet von',
  byProvider: 'dem Identitätsanbieter: Änderungen dort gehen vor',
  done: { revoked: 'Widerrufen: er gilt nicht mehr.', saved: 'Gespeichert, ab sofort.' },
}
