/** German words for proofs, by the sentences of the API. Payments keep the sentence that is signed. */
const PROOFS: readonly (readonly [said: RegExp, german: string])[] = [
  [/^Begin to add an authenticator$/, 'Eine Authenticator-App einrichten'],
  [/^Remove the authenticator$/, 'Die Authenticator-App entfernen'],
  [/^Create ten recovery codes$/, 'Zehn neue Wiederherstellungscodes erstellen'],
  [/^Trust this device to sign in without a password$/, 'Auf diesem Gerät ohne Passwort anmelden'],
  [/^Remove a device$/, 'Ein Gerät entfernen'],
  [/^Confirm a phone number with the code that was sent to it$/, 'Eine Telefonnummer bestätigen'],
  [/^Remove a phone number$/, 'Eine Telefonnummer entfernen'],
  [/^Register a passkey$/, 'Einen Passkey hinzufügen'],
  [/^Remove a passkey; a mail tells of it$/, 'Einen Passkey entfernen'],
  [/^Make this device an approval device$/, 'Dieses Gerät zu einem Freigabegerät machen'],
  [/^Stop an approval device, at once and for good$/, 'Ein Freigabegerät entfernen, sofort und endgültig'],
  [/^Submit the organization to be verified$/, 'Die Firma zur Prüfung einreichen'],
  [/^Claim the service ID of an organization$/, 'Die Service-ID der Firma wählen'],
  [/^Change the settings of an organization$/, 'Einstellungen der Firma ändern'],
  [/^Change the role or the permissions of a member$/, 'Die Rolle oder die Rechte eines Mitglieds ändern'],
  [/^Remove a member; only an owner removes an owner$/, 'Ein Mitglied entfernen'],
  [/^Leave an organization; its last owner cannot$/, 'Die Firma verlassen'],
  [/^Make another member an owner; you become an admin$/, 'Ein anderes Mitglied zum Inhaber machen; Sie werden Admin'],
  [/^Set 1 approval rule$/, 'Eine Freigaberegel festlegen'],
  [/^Set (\d+) approval rules$/, '$1 Freigaberegeln festlegen'],
  [/^Remove all approval rules$/, 'Alle Freigaberegeln entfernen'],
  [
    /^Let ("[^"]*") decide approvals for you until ([\d-]+ [\d:]+ UTC)$/,
    '$1 bis $2 an Ihrer Stelle Freigaben entscheiden lassen',
  ],
  [
    /^Let ("[^"]*") decide approvals for ("[^"]*") until ([\d-]+ [\d:]+ UTC)$/,
    '$1 bis $3 an Stelle von $2 Freigaben entscheiden lassen',
  ],
  [/^Give ("[^"]*") another secret in the organization ("[^"]*")$/, '$1 ein neues Geheimnis in der Firma $2 geben'],
  [
    /^Give ("[^"]*") another secret for (\d+) days in the organization ("[^"]*")$/,
    '$1 ein neues Geheimnis für $2 Tage in der Firma $3 geben',
  ],
  [
    /^Record that the payee confirmed a bank account when called$/,
    'Festhalten, dass der Empfänger sein Konto am Telefon bestätigt hat',
  ],
  [/^Select a plan$/, 'Einen Tarif wählen'],
  [/^Disconnect the accounting program$/, 'Das Buchhaltungsprogramm trennen'],
  [/^Let members sign in at ("[^"]*")$/, 'Mitglieder sich bei $1 anmelden lassen'],
  [/^Set the IP allow-list of an organization$/, 'Die Netze der Firma festlegen'],
  [/^Remove the IP allow-list: credentials work from everywhere$/, 'Die Netze der Firma entfernen'],
  [/^Lift the IP allow-list from outside of it$/, 'Die Netze der Firma von außerhalb aufheben'],
  [
    /^Let the identity provider manage members by the token ("[^"]*")$/,
    'Den Identitätsanbieter mit dem Schlüssel $1 Mitglieder verwalten lassen',
  ],
  [/^Give no role to the group ("[^"]*")$/, 'Der Gruppe $1 keine Rolle geben'],
  [/^Give the role (\w+)((?: \(\w+\))?) to the group ("[^"]*")$/, 'Der Gruppe $3 die Rolle $1$2 geben'],
  [/^Change the identity provider$/, 'Den Identitätsanbieter ändern'],
  [/^Disconnect the identity provider$/, 'Den Identitätsanbieter trennen'],
  [/^Remove a domain$/, 'Eine Domain entfernen'],
  [/^Let the identity provider of ("[^"]*") sign in as you$/, 'Den Identitätsanbieter von $1 Sie anmelden lassen'],
  [/^Pause or resume a log stream, or describe it$/, 'Einen Protokollstrom anhalten, fortsetzen oder beschreiben'],
  [/^Delete a log stream$/, 'Einen Protokollstrom löschen'],
  [/^Rotate the secret of a log stream$/, 'Das Geheimnis eines Protokollstroms erneuern'],
  [/^Send a test event to a log stream$/, 'Einen Test an einen Protokollstrom senden'],
  [/^Send an event to a log stream again$/, 'Ein Ereignis noch einmal an einen Protokollstrom senden'],
  [/^Send the log of the organization to (\S+)$/, 'Das Protokoll der Firma an $1 schicken'],
  [/^Create a webhook endpoint$/, 'Einen Webhook anlegen'],
  [/^Change a webhook endpoint$/, 'Einen Webhook ändern'],
  [/^Delete a webhook endpoint$/, 'Einen Webhook löschen'],
  [/^Rotate the secret of a webhook endpoint$/, 'Das Geheimnis eines Webhooks erneuern'],
  [/^Enable a disabled webhook endpoint$/, 'Einen Webhook wieder einschalten'],
]

/** Translates the sentence that a proof confirms; null for one that only the API has words for. */
export function sayProof(summary: string): string | null {
  const known = PROOFS.find(([said]) => said.test(summary))
  return known ? summary.replace(...known) : null
}
