// The one-time token of a mailed link stands after the #, which browsers send to no server.
// The button hands it over.
const token = location.hash.slice(1)
const form = document.querySelector('form')
if (token && form) form.action = `${location.pathname}?token=${encodeURIComponent(token)}`
