/**
 * What a PDF says of itself in XMP (ISO 16684-1), beside what pdfkit writes: its author, and that an invoice is inside.
 */
import type { InvoiceDocument } from '../../domain/invoices/document.ts'
import { escaped } from '../xml.ts'

export const XML_NAME = 'factur-x.xml'

const NAMESPACE = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#'

/** Properties that no standard knows are to be described (ISO 19005-3, 6.6.2.3): those of Factur-X 1.0. */
const PROPERTIES: readonly (readonly [name: string, value: string, description: string])[] = [
  ['DocumentType', 'INVOICE', 'The type of the hybrid document'],
  ['DocumentFileName', XML_NAME, 'The name of the embedded XML document'],
  ['Version', '1.0', 'The version of the standard'],
  ['ConformanceLevel', 'EN 16931', 'The profile of the embedded XML document'],
]

/** Descriptions to stand within the RDF of the file. */
export const metadataOf = ({ seller }: InvoiceDocument, hasXml: boolean): string => `
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/">
<dc:creator><rdf:Seq><rdf:li>${escaped(seller.name)}</rdf:li></rdf:Seq></dc:creator>
</rdf:Description>${hasXml ? FACTUR_X : ''}`

const FACTUR_X = `
<rdf:Description rdf:about="" xmlns:fx="${NAMESPACE}">
${PROPERTIES.map(([name, value]) => `<fx:${name}>${value}</fx:${name}>`).join('\n')}
</rdf:Description>
<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/" xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#" xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>
<pdfaSchema:namespaceURI>${NAMESPACE}</pdfaSchema:namespaceURI>
<pdfaSchema:prefix>fx</pdfaSchema:prefix>
<pdfaSchema:property><rdf:Seq>
${PROPERTIES.map(([name, , description]) => `<rdf:li rdf:parseType="Resource"><pdfaProperty:name>${name}</pdfaProperty:name><pdfaProperty:valueType>Text</pdfaProperty:valueType><pdfaProperty:category>external</pdfaProperty:category><pdfaProperty:description>${description}</pdfaProperty:description></rdf:li>`).join('\n')}
</rdf:Seq></pdfaSchema:property>
</rdf:li></rdf:Bag></pdfaExtension:schemas>
</rdf:Description>`
