/** Addresses that leave the site, such as those in mails. They never come from a request. */
export {
  contentAddress as ofContent,
  frontendAddress as ofFrontEnd,
  publicAddress as of,
} from '../configuration/site/public-address.ts';
