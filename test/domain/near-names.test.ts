/** Names that a person in a hurry takes for one another, and names that are honestly alike. */
import { expect, test } from 'vitest'
import { isNearName, lookOf } from '../../domain/contacts/near-names.ts'

const isNear = (one: string, other: string) => [
  isNearName(lookOf(one), lookOf(other)),
  isNearName(lookOf(other), lookOf(one)),
]

test.each([
  ['Nordwind Logistik GmbH', 'Nordwіnd Logistik GmbH'], // Cyrillic
  ['Nordwind Logistik GmbH', 'Nordwlnd Logistik GmbH'],
  ['Nordwind Logistik GmbH', 'NordwInd LogistIk GmbH'],
  ['Nordwind Logistik GmbH', 'Nordwint Logistik GmbH'],
  ['Nordwind Logistik GmbH', 'Nordwnid Logistik GmbH'],
  ['Nordwind Logistik GmbH', 'Nordwindd Logistik GmbH'],
  ['Nordwind Logistik GmbH', 'ordwind Logistik GmbH'],
  ['Nordwind Logistik GmbH', 'Nordwind Logistik AG'],
  ['Nordwind Logistik GmbH', 'Nord-Wind Logistik'],
  ['Farm & Hof KG', 'Farrn & Hof KG'],
  ['Marta Beispiel', 'Marta Beispiell'],
  ['Blau & Söhne', 'Blau und Soehne'],
])('%s looks like %s', (one, other) => expect(isNear(one, other)).toEqual([true, true]))

test.each([
  ['Anna', 'Anne'],
  ['Filiale 2', 'Filiale 3'],
  ['Filiale 2', 'Filiale'],
  ['Stadtwerke Köln', 'Stadtwerke Ulm'],
  ['Nordwind Logistik', 'Südwind Logistik'],
  ['Nordwind Logistik', ''],
  ['', ''],
])('%s is another name than %s', (one, other) => expect(isNear(one, other)).toEqual([false, false]))
