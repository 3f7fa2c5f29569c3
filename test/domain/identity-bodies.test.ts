/** Bodies about organizations, people and their factors: each fault is refused at its path. */
import type * as v from 'valibot'
import { expect, test } from 'vitest'
import { parse } from '../../api/http/validation.ts'
import { NewPasskey } from '../../domain/factors/passkey.ts'
import { NewPhoneNumber } from '../../domain/factors/phone-number.ts'
import { NewInvitations } from '../../domain/invitations/invitation.ts'
import { NewApiKey } from '../../domain/organizations/api-key.ts'
import { MemberChange } from '../../domain/organizations/member.ts'
import { ClaimHandle, NewOrganization, OrganizationChanges } from '../../domain/organizations/organization.ts'
import { OrganizationSettingsChanges } from '../../domain/organizations/settings.ts'
import { isRegistered } from '../../domain/people/authorization.ts'
import { DeviceName } from '../../domain/people/device.ts'
import { MeChanges, PrimaryOrganization } from '../../domain/people/person.ts'
import { DeviceSignIn, SignUp } from '../../domain/sign-in/sign-in.ts'
import { pathsOf } from '../support/bodies.ts'

const street = { address_line1: '1 Main Street', city: 'Berlin', country_code: 'DE' }
const postal = { line1: 'Domkloster 4', line2: null, postal_code: '50667', city: 'Köln', country_code: 'DE' }
const account = { password: 'correct horse battery staple' }
const key = { name: 'Program', role: 'member', scopes: ['balances:read'] }
const signed = { clientDataJSON: 'AAAA', attestationObject: 'AAAA' }
const credential = { id: 'AAAA', rawId: 'AAAA', type: 'public-key', response: signed, clientExtensionResults: {} }
const passkey = { name: 'Laptop', credential }
const guest = { email: 'ada@example.com' }

const FAULTS: readonly [v.GenericSchema, at: string, bodies: readonly object[]][] = [
  [NewOrganization, 'name', [{}, { name: ' ' }, { name: 'x'.repeat(256) }]],
  [NewOrganization, 'country_code', ['deu', 'XX'].map((country_code) => ({ name: 'a', country_code }))],
  [OrganizationChanges, 'name', [{ name: null }, { name: ' ' }]],
  [OrganizationChanges, 'country_code', [{ country_code: 'de' }, { country_code: 'XX' }, { country_code: 'DEU' }]],
  [OrganizationChanges, 'contact_email', [{ contact_email: 'nobody' }]],
  [OrganizationChanges, 'tax_id', [{ tax_id: '' }, { tax_id: 'a\0b' }]],
  [OrganizationChanges, 'invoice_notes', [{ invoice_notes: 7 }]],
  [OrganizationChanges, 'registered_entity', [{ registered_entity: 'yes' }]],
  [ClaimHandle, 'svc_id', ['ab', '-abc', 'abc-', 'Abc', 'a b', 'x'.repeat(31), ''].map((svc_id) => ({ svc_id }))],
  [
    OrganizationSettingsChanges,
    'requires_authenticator',
    [null, 'true', 1].map((requires_authenticator) => ({ requires_authenticator })),
  ],
  [
    OrganizationSettingsChanges,
    'invoice_prefix',
    ['inv-', 'ABCDEFGHIJK', 'A B', 'A\n', null].map((invoice_prefix) => ({ invoice_prefix })),
  ],
  [OrganizationSettingsChanges, 'credit_note_prefix', [{ credit_note_prefix: 'cn-' }, { credit_note_prefix: null }]],
  [
    OrganizationSettingsChanges,
    'invoice_reminder_days',
    [null, Array.from({ length: 11 }, (_, day) => day)].map((days) => ({ invoice_reminder_days: days })),
  ],
  [
    OrganizationSettingsChanges,
    'invoice_reminder_days.0',
    [-31, 91, 0.5, '1'].map((day) => ({ invoice_reminder_days: [day] })),
  ],
  [OrganizationSettingsChanges, 'invoice_reminder_days.2', [{ invoice_reminder_days: [1, 2, 1] }]],
  [OrganizationSettingsChanges, 'vat_id', [{ vat_id: 'DE12' }, { vat_id: '' }]],
  [OrganizationSettingsChanges, 'postal_address', [{ postal_address: 'Köln' }]],
  [OrganizationSettingsChanges, 'postal_address.country_code', [{ postal_address: { ...postal, country_code: 'XK' } }]],
  [OrganizationSettingsChanges, 'postal_address.city', [{ postal_address: { ...postal, city: undefined } }]],
  [
    OrganizationSettingsChanges,
    'time_zone',
    ['CET', '+01:00', 'Europe/Nowhere', 'EST5EDT', '', 'Etc/../UTC', null].map((time_zone) => ({ time_zone })),
  ],
  [MemberChange, 'role', [{}, { role: 'boss' }, { role: null }]],
  [
    NewApiKey,
    'role',
    [
      { ...key, role: 'owner' },
      { name: 'a', scopes: [] },
    ],
  ],
  [NewApiKey, 'scopes.0', [{ ...key, scopes: ['payments:write'] }]],
  [NewApiKey, 'scopes', [{ ...key, scopes: 'balances:read' }]],
  [NewApiKey, 'name', [' ', 'x'.repeat(256)].map((name) => ({ ...key, name }))],
  [NewInvitations, 'invitations', [{ invitations: [] }, { invitations: Array.from({ length: 101 }, () => guest) }]],
  [
    NewInvitations,
    'invitations.1.email',
    [
      { email: 'nobody' },
      { role: 'member' },
      { email: `${'x'.repeat(250)}@example.com` },
      { ...guest, role: 'admin' },
    ].map((other) => ({ invitations: [guest, other] })),
  ],
  [NewInvitations, 'invitations.0.role', [{ invitations: [{ ...guest, role: 'owner' }] }]],
  [
    NewInvitations,
    'invitations.0.card_limit',
    [0, 100_000.5].map((card_limit) => ({ invitations: [{ ...guest, card_limit }] })),
  ],
  [MeChanges, 'first_name', [{ first_name: ' ' }, { first_name: 1 }]],
  [MeChanges, 'last_name', [{ last_name: 'x'.repeat(256) }]],
  [MeChanges, 'address', [{ address: 'Berlin' }]],
  [MeChanges, 'address.address_line1', ['', 'nul\0'].map((line) => ({ address: { ...street, address_line1: line } }))],
  [MeChanges, 'address.address_line2', [{ address: { ...street, address_line2: 'x'.repeat(256) } }]],
  [MeChanges, 'address.city', [{ address: { ...street, city: undefined } }]],
  [MeChanges, 'address.country_code', ['de', 'XX'].map((country_code) => ({ address: { ...street, country_code } }))],
  [MeChanges, 'address.postal_code', [{ address: { ...street, postal_code: '1'.repeat(33) } }]],
  [
    MeChanges,
    'user_filled_country_of_residence',
    ['UK', 'DEU'].map((country) => ({ user_filled_country_of_residence: country })),
  ],
  [MeChanges, 'notify', ['never', null].map((notify) => ({ notify }))],
  [PrimaryOrganization, 'organization_id', [undefined, null, 'nonsense', 1].map((id) => ({ organization_id: id }))],
  [DeviceName, 'name', [{ name: ' ' }, { name: 'x'.repeat(101) }]],
  [
    SignUp,
    'email',
    ['nobody', 'ada@localhost', 'a b@example.com', 'ada@', '@example.com', 'ada@exam\nple.com', 'ada@exa mple.com'].map(
      (email) => ({ ...account, email }),
    ),
  ],
  [
    DeviceSignIn,
    'credential',
    [{ device_id: 'x' }, { device_id: 'x', credential: '' }, { device_id: 'x', credential: 1 }],
  ],
  [DeviceSignIn, 'device_id', [{ credential: 'x' }, { device_id: '', credential: 'x' }]],
  [NewPhoneNumber, 'e164', [undefined, null, 12133730000, '', '2'.repeat(71)].map((e164) => ({ e164 }))],
  [NewPasskey, 'name', ['', '   ', 'x'.repeat(101), null].map((name) => ({ ...passkey, name }))],
  [NewPasskey, 'credential', [null, 'credential'].map((other) => ({ ...passkey, credential: other }))],
  [NewPasskey, 'credential.type', [{ ...passkey, credential: { ...credential, type: 'password' } }]],
  [NewPasskey, 'credential.id', [{ ...passkey, credential: { ...credential, id: 'A'.repeat(1365) } }]],
  [
    NewPasskey,
    'credential.response.attestationObject',
    [undefined, 'A'.repeat(32_769)].map((attestationObject) => ({
      ...passkey,
      credential: { ...credential, response: { ...signed, attestationObject } },
    })),
  ],
  [
    NewPasskey,
    'credential.response.transports',
    [{ ...passkey, credential: { ...credential, response: { ...signed, transports: Array(11).fill('usb') } } }],
  ],
]

const titleOf = (schema: v.GenericSchema): string => {
  const { pipe = [] } = schema as { pipe?: readonly { type: string; title?: string }[] } // a pipe has its parts
  return pipe.find(({ type }) => type === 'title')?.title ?? ''
}

test.each(FAULTS.map(([schema, at, bodies]) => [titleOf(schema), at, schema, bodies] as const))(
  '%s: what is wrong is refused at %s',
  (_, at, schema, bodies) => {
    for (const body of bodies) expect(pathsOf(schema, body), JSON.stringify(body)).toEqual([at])
  },
)

test('what is right is taken, and written in one way', () => {
  expect(parse(NewPasskey, passkey)).toMatchObject({ name: 'Laptop' })
  expect(parse(NewApiKey, key)).toEqual(key)
  expect(parse(OrganizationSettingsChanges, { time_zone: 'europe/berlin' })).toEqual({ time_zone: 'Europe/Berlin' })
  for (const name of ["o'neil", 'ada+bank', 'ada.lovelace', 'ADA']) {
    const email = `${name}@example.com`
    expect(parse(SignUp, { ...account, email: ` ${email}` })).toMatchObject({ email: email.toLowerCase() })
  }
})

test('a limit means a card, and an address that is repeated is one', () => {
  const other = { email: 'bob@example.com', card_approved: false, card_limit: 5 }
  const { invitations } = parse(NewInvitations, { invitations: [guest, other, { email: 'ADA@example.com' }] })
  expect(invitations).toMatchObject([{ ...guest, card_approved: false }, { ...other, card_approved: true }, guest])
})

test('a browser is led to a registered address alone, but for the port on the same machine', () => {
  const registered = ['http://127.0.0.1/callback']
  expect(isRegistered('http://127.0.0.1:7777/callback', registered)).toBe(true)
  const strange = [
    'http://127.0.0.1:7777/other',
    'http://127.0.0.1:7777/callback?a=1',
    'https://evil.example/callback',
    'http://localhost:7777/callback', // another name of the machine
    'http://evil.example/callback',
    'javascript:alert(1)',
    'http://127.0.0.1:7777/callback#x',
    'http://a:b@127.0.0.1:7777/callback',
  ]
  expect(strange.filter((address) => isRegistered(address, registered))).toEqual([])
  expect(strange.filter((address) => isRegistered(address, [address]))).toEqual([
    'http://127.0.0.1:7777/other',
    'http://127.0.0.1:7777/callback?a=1',
    'https://evil.example/callback',
    'http://localhost:7777/callback',
  ])
})
