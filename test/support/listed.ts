/** Texts of a test, parted by `|` or by the end of a line. */
export const listed = ({ raw: [text = ''] }: TemplateStringsArray): string[] => text.trim().split(/\s*[|\n]\s*/)
