/** Words about questions and about requests that are sent back in English. */
export const questions = {
  heading: 'Questions',
  answer: 'Answer',
  open: 'Not answered yet',
  member: 'a member',
  ask: 'Ask a question…',
  to: 'Who is asked',
  text: 'Question',
  hint: 'They get a mail with a link. A question decides nothing.',
  send: 'Ask',
  reply: 'Answer…',
  sendReply: 'Answer',
  files: 'Files that the answer is about',
}

export const sentBack = {
  said: 'It was sent back to be changed',
  by: 'Sent back by',
  change: 'Change it and ask again',
  follows: 'It follows a request that was sent back.',
  ask: 'Send back…',
  reason: 'What has to change',
  hint: 'Who asked can change it and ask again; nothing that was entered is lost.',
  send: 'Send back',
}
