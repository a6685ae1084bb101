import {
  Anchor,
  createTheme,
  Drawer,
  defaultVariantColorsResolver,
  type MantineColorsTuple,
  Modal,
} from '@mantine/core'

/** The kit wants ten shades of a colour; ours are two, and change with the mode. */
const brand = Array.from(
  { length: 10 },
  () => 'var(--fill-primary)',
) as unknown as MantineColorsTuple

/**
 * What of the kit's look cannot be said by variables (mantine.css). `lockScroll` is off because it
 * injects a style element; mantine.css does the same.
 */
export const kitTheme = createTheme({
  primaryColor: 'brand',
  colors: { brand },
  defaultRadius: 'md',
  cursorType: 'pointer',
  focusRing: 'never', // global.css has one for everything
  respectReducedMotion: true,
  variantColorResolver: (input) => {
    if (input.variant !== 'filled' || (input.color && input.color !== 'brand')) {
      return defaultVariantColorsResolver(input)
    }
    return {
      background: 'var(--fill-primary)',
      hover: 'var(--fill-primary-hover)',
      color: 'var(--on-primary)',
      border: '1px solid transparent',
    }
  },
  components: {
    Anchor: Anchor.extend({ defaultProps: { underline: 'always' } }),
    Modal: Modal.extend({ defaultProps: { lockScroll: false, centered: true } }),
    Drawer: Drawer.extend({ defaultProps: { lockScroll: false } }),
  },
})
