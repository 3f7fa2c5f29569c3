/** A form with one file, as a body of text: enough wherever no picture is looked at. */
export const FORM = {
  headers: { 'content-type': 'multipart/form-data; boundary=edge' },
  body: '--edge\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\nbytes\r\n--edge--\r\n',
} as const
