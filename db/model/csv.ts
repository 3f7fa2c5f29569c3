/** Cells of CSV (RFC 4180) that we write, and that people open in spreadsheets. */

/** A text that no spreadsheet takes for a formula (CWE-1236): an apostrophe stands before one that looks so. */
export const inert = (text: string): string => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text)

/** A cell in quotes if it has to be, by whether it has one of these characters. */
export const quotedCell = (cell: string, special = /[",\r\n]/): string =>
  special.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
