// Runs in the head before anything is painted, so that a stored choice never flashes the other
// theme. It is a classic script on purpose (see vite/first-paint.ts). Keep the keys and the values
// as in mode.ts, language.ts and session.ts; tests hold them together.
const stored = (storage, key) => {
  try {
    return window[storage].getItem(key)
  } catch {
    return null // Storage is blocked: the system's preference decides.
  }
}

// As lib/choices.ts keeps it, or kept it once.
const chosen = (name) => {
  try {
    const entry = document.cookie.split('; ').find((text) => text.startsWith(`${name}=`))
    if (entry) return entry.slice(name.length + 1)
  } catch {
    // Cookies are blocked.
  }
  return stored('localStorage', name)
}

const choice = chosen('bifolia.theme')
if (choice === 'light' || choice === 'dark') document.documentElement.dataset.theme = choice

// Operators choose these colours; everything else about the look is the theme's.
const paintBrand = () => {
  const { light, dark } = JSON.parse(document.getElementById('brand').textContent).site.colours
  const rule = (colours) =>
    `--fill-primary: ${colours.primary}; --fill-primary-hover: ${colours.primary_hover}; ` +
    `--on-primary: ${colours.on_primary}; --text-link: ${colours.link};`
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(
    `:root { ${rule(light)} }
    @media (prefers-color-scheme: dark) { :root:not([data-theme='light']) { ${rule(dark)} } }
    :root[data-theme='dark'] { ${rule(dark)} }`,
  )
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
}

// In another font the same text has another size, and everything would move when ours comes.
const font = () => {
  const link = document.querySelector('link[as=font]')
  if (!link) return undefined
  const face = new FontFace('Public Sans Variable', `url(${link.href})`, { weight: '100 900' })
  const loaded = face.load().then(
    () => document.fonts.add(face),
    () => undefined,
  )
  return Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, 400))])
}

// The page brings its screen as it is before it has asked for anything, in English. It stands until
// the app has its own, which cannot be before its scripts are there. The policy forbids styles in
// markup, not by script.
const paintShell = async () => {
  const shell = document.getElementById('shell')
  if (!shell || (chosen('bifolia.language') ?? 'en') !== 'en') return
  const signedIn = stored('sessionStorage', 'bifolia.session')?.includes('"isAuth":true')
  if ('member' in shell.dataset && !signedIn) return
  await font()
  // As the kit does once it is there.
  const dark = window.matchMedia('(prefers-color-scheme: dark)').matches
  const mode = document.documentElement.dataset.theme ?? (dark ? 'dark' : 'light')
  document.documentElement.dataset.mantineColorScheme = mode
  const screen = shell.content.cloneNode(true)
  for (const element of screen.querySelectorAll('[data-style]')) {
    element.style.cssText = element.dataset.style
  }
  document.getElementById('root').append(screen)
}

// The page is read, and the app, whose scripts wait for that, has not begun. It waits for this.
document.addEventListener('readystatechange', () => {
  if (document.readyState !== 'interactive') return
  paintBrand()
  window.shellPainted = paintShell()
})
