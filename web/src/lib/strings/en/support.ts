export const support = {
  support: {
    yourQuery: 'Your Query',
    complaint: 'This is a complaint',
    complaintHint: 'We answer complaints within 48 hours and settle them within 30 days.',
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
