// The differences between two responses, each with its place.

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The keys that identify the items of a list, so that they are compared independently of their order. */
const KEYS = ['@id', 'token', 'id', 'name', 'groupname'];

/** A relation is identified by its two ends. */
const ENDS = 'source, target';

const identityOf = (list, key) =>
  key === undefined
    ? undefined
    : list.map((item) => (key === ENDS ? `${item.source?.['@id']} ${item.target?.['@id']}` : String(item[key])));

function identityKey(list) {
  if (list.length === 0 || !list.every(isObject)) return undefined;
  const isKey = (key) => new Set(identityOf(list, key)).size === list.length;
  const key = KEYS.find((one) => list.every((item) => item[one]) && isKey(one));
  return (
    key ?? (list.every(({ source, target }) => isObject(source) && isObject(target)) && isKey(ENDS) ? ENDS : undefined)
  );
}

/** Lists of texts and numbers whose items are all different are compared as sets, and then their order. */
function plainIdentity(list) {
  return list.every((item) => typeof item === 'string' || typeof item === 'number') &&
    new Set(list).size === list.length
    ? list.map(String)
    : undefined;
}

function compareLists(plone, canopy, at, report) {
  const key = identityKey(plone) ?? identityKey(canopy);
  const left = identityOf(plone, key) ?? plainIdentity(plone);
  const right = key === undefined ? plainIdentity(canopy) : identityOf(canopy, key);
  if (left === undefined || right === undefined || new Set(right).size !== right.length) {
    if (plone.length !== canopy.length) report('length', `${at}[]`, plone, canopy);
    plone.slice(0, canopy.length).forEach((item, index) => {
      compareValues(item, canopy[index], `${at}[]`, report);
    });
    return;
  }
  left.forEach((id, index) => {
    const other = right.indexOf(id);
    if (other === -1) report('missing', `${at}[${id}]`, plone[index], undefined);
    else compareValues(plone[index], canopy[other], `${at}[${id}]`, report);
  });
  right.forEach((id, index) => {
    if (!left.includes(id)) report('more', `${at}[${id}]`, undefined, canopy[index]);
  });
  const common = (ids, others) => ids.filter((id) => others.includes(id)).join('\n');
  if (common(left, right) !== common(right, left)) report('order', `${at}[]`, left, right);
}

function compareValues(plone, canopy, at, report) {
  if (isObject(plone) && isObject(canopy)) {
    for (const key of new Set([...Object.keys(plone), ...Object.keys(canopy)])) {
      const inner = at === '' ? key : `${at}.${key}`;
      if (!(key in canopy)) report('missing', inner, plone[key], undefined);
      else if (!(key in plone)) report('more', inner, undefined, canopy[key]);
      else compareValues(plone[key], canopy[key], inner, report);
    }
  } else if (Array.isArray(plone) && Array.isArray(canopy)) compareLists(plone, canopy, at, report);
  else if (JSON.stringify(plone) !== JSON.stringify(canopy)) report('value', at, plone, canopy);
}

/**
 * The differences between two responses `{ status, headers, body }`: `{ kind, at, plone, canopy }` each. The kind is `missing`
 * or `more` (in Canopy's), `value`, `length` or `order` of a list. The bodies are compared only when the statuses are equal.
 */
export function differencesOf(plone, canopy) {
  const found = [];
  const report = (kind, at, left, right) => found.push({ kind, at, plone: left, canopy: right });
  compareValues(plone.status, canopy.status, 'status', report);
  if (found.length > 0) {
    found[0].bodies = [plone.body, canopy.body];
    return found;
  }
  compareValues(plone.headers, canopy.headers, 'header', report);
  compareValues(plone.body, canopy.body, '', report);
  return found;
}
