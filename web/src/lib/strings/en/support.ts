export const support = {
  support: {
    yourQuery: 'Your Query',
    done: 'Query has been sent successfully !!',
    history: 'Your tickets',
    ticket: 'Ticket Id',
    query: 'Query',
    reply: 'Admin Reply',
    requested: 'Request Date',
    status: 'Status',
    replied: 'Reply Date',
    empty: 'Your questions and our answers appear here. Ask the first one above.',
  },
}
