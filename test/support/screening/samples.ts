/** Samples of published lists, made by us: nobody on them is on a list. */

export const EU_PERSON = `
  <sanctionEntity euReferenceNumber="EU.9001.10" logicalId="9001" unitedNationId="">
    <regulation regulationType="regulation"><publicationUrl>https://example.com</publicationUrl></regulation>
    <subjectType code="person" classificationCode="P"/>
    <nameAlias firstName="Viktor" middleName="" lastName="Brandis" wholeName="Viktor Brandis" strong="true" logicalId="1"/>
    <nameAlias firstName="Виктор" middleName="" lastName="Брандис" wholeName="" strong="false" logicalId="2"/>
    <citizenship countryIso2Code="BY" countryDescription="BELARUS"/>
    <birthdate circa="false" birthdate="1961-03-07" day="7" month="3" year="1961" countryIso2Code="00"/>
    <birthdate circa="true" year="1959" day="" month=""/>
    <address city="Minsk" countryIso2Code="BY"/>
  </sanctionEntity>`
export const EU_ENTITY = `
  <sanctionEntity euReferenceNumber="EU.9002.20" logicalId="9002">
    <subjectType code="enterprise" classificationCode="E"/>
    <nameAlias wholeName="Listed Trading LLC" strong="true"/>
    <nameAlias wholeName="Severny Metall" strong="true"/>
    <address countryIso2Code="RU"/>
  </sanctionEntity>`

export const euList = (subjects = EU_PERSON + EU_ENTITY, generated = '2026-11-20T10:00:00.000+01:00') =>
  `<?xml version="1.0" encoding="UTF-8"?>
<export xmlns="http://eu.europa.ec/fpi/fsd/export" generationDate="${generated}" globalFileId="1">${subjects}
</export>`

export const UN_PERSON = `
    <INDIVIDUAL>
      <DATAID>9101</DATAID><VERSIONNUM>1</VERSIONNUM>
      <FIRST_NAME>HASSAN</FIRST_NAME><SECOND_NAME>KHALID</SECOND_NAME><THIRD_NAME/>
      <REFERENCE_NUMBER>XXi.901</REFERENCE_NUMBER>
      <NAME_ORIGINAL_SCRIPT>حسن خالد</NAME_ORIGINAL_SCRIPT>
      <NATIONALITY><VALUE>Iran (Islamic Republic of)</VALUE><VALUE>Atlantis</VALUE></NATIONALITY>
      <INDIVIDUAL_ALIAS><QUALITY>Good</QUALITY><ALIAS_NAME>Hasan Khaled</ALIAS_NAME></INDIVIDUAL_ALIAS>
      <INDIVIDUAL_ALIAS><QUALITY/><ALIAS_NAME/></INDIVIDUAL_ALIAS>
      <INDIVIDUAL_ADDRESS><COUNTRY>Syrian Arab Republic</COUNTRY></INDIVIDUAL_ADDRESS>
      <INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>EXACT</TYPE_OF_DATE><DATE>1970-02-03</DATE></INDIVIDUAL_DATE_OF_BIRTH>
      <INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>BETWEEN</TYPE_OF_DATE><FROM_YEAR>1968</FROM_YEAR><TO_YEAR>1970</TO_YEAR></INDIVIDUAL_DATE_OF_BIRTH>
      <INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>APPROXIMATELY</TYPE_OF_DATE><YEAR>1966</YEAR></INDIVIDUAL_DATE_OF_BIRTH>
    </INDIVIDUAL>`
export const UN_ENTITY = `
    <ENTITY>
      <DATAID>9102</DATAID>
      <FIRST_NAME>GOLDEN ORIENT SHIPPING</FIRST_NAME>
      <REFERENCE_NUMBER>XXe.902</REFERENCE_NUMBER>
      <ENTITY_ALIAS><QUALITY>a.k.a.</QUALITY><ALIAS_NAME>Golden Orient Lines</ALIAS_NAME></ENTITY_ALIAS>
      <ENTITY_ADDRESS><COUNTRY>Democratic People's Republic of Korea</COUNTRY></ENTITY_ADDRESS>
    </ENTITY>`

export const unList = (people = UN_PERSON, entities = UN_ENTITY) =>
  `<?xml version="1.0" encoding="UTF-8"?>
<CONSOLIDATED_LIST dateGenerated="2026-11-21T23:10:03.123-04:00">
  <INDIVIDUALS>${people}
  </INDIVIDUALS>
  <ENTITIES>${entities}
  </ENTITIES>
</CONSOLIDATED_LIST>`

export const OFAC_PERSON = `
  <sdnEntry>
    <uid>99001</uid><firstName>Omar</firstName><lastName>QADHAFI-SAMPLE</lastName><sdnType>Individual</sdnType>
    <programList><program>SAMPLE</program></programList>
    <akaList><aka><uid>1</uid><type>a.k.a.</type><category>weak</category><lastName>GADDAFI SAMPLE</lastName><firstName>Umar</firstName></aka></akaList>
    <nationalityList><nationality><uid>2</uid><country>Libya</country><mainEntry>true</mainEntry></nationality></nationalityList>
    <dateOfBirthList>
      <dateOfBirthItem><uid>3</uid><dateOfBirth>10 Dec 1948</dateOfBirth><mainEntry>true</mainEntry></dateOfBirthItem>
      <dateOfBirthItem><uid>4</uid><dateOfBirth>circa 1950</dateOfBirth><mainEntry>false</mainEntry></dateOfBirthItem>
      <dateOfBirthItem><uid>5</uid><dateOfBirth>1952 to 1953</dateOfBirth><mainEntry>false</mainEntry></dateOfBirthItem>
      <dateOfBirthItem><uid>6</uid><dateOfBirth>Sep 1955</dateOfBirth><mainEntry>false</mainEntry></dateOfBirthItem>
    </dateOfBirthList>
  </sdnEntry>`
export const OFAC_ENTITY = `
  <sdnEntry>
    <uid>99002</uid><lastName>SAMPLE CARIBBEAN AIRLINES</lastName><sdnType>Entity</sdnType>
    <addressList><address><uid>7</uid><city>Havana</city><country>Cuba</country></address></addressList>
  </sdnEntry>`
export const OFAC_SHIP = `
  <sdnEntry><uid>99003</uid><lastName>SAMPLE SHIP</lastName><sdnType>Vessel</sdnType></sdnEntry>`

export const ofacList = (subjects = OFAC_PERSON + OFAC_ENTITY + OFAC_SHIP, count = 3) =>
  `<?xml version="1.0" standalone="yes"?>
<sdnList xmlns="https://sanctionslistservice.ofac.treas.gov/api/PublicationPreview/exports/XML">
  <publshInformation><Publish_Date>11/22/2026</Publish_Date><Record_Count>${count}</Record_Count></publshInformation>${subjects}
</sdnList>`
