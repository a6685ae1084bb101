// Runs in the head before anything is painted, so that a stored choice never flashes the other
// theme. It is a classic script on purpose (see vite/first-paint.ts). Keep the key and the two
// values as in mode.ts; a test holds them together.
try {
  const choice = localStorage.getItem('bifolia.theme')
  if (choice === 'light' || choice === 'dark') document.documentElement.dataset.theme = choice
} catch {
  // Storage is blocked: the system's preference decides.
}
