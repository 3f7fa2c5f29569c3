export const FORM = {
  headers: { 'content-type': 'multipart/form-data; boundary=edge' },
  body: '--edge\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\nbytes\r\n--edge--\r\n',
} as const

/** A form of `parts` empty parts: 47,000 are 4.8 MB. */
export const formOfNothing = (parts: number) => ({
  headers: FORM.headers,
  body:
    `--edge\r\ncontent-disposition: form-data; name="a"; filename="a"\r\ncontent-type: text/plain\r\n\r\n\r\n`.repeat(
      parts,
    ) + '--edge--\r\n',
})
